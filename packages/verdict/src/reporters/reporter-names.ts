import { UnderstudyError } from '@understudy/kit';
import { loadReporter, type OwnReporter } from './own-reporter.js';

/** Reporters that write one document at the end, and what else can be asked for. */
export const reporterNames = [
  'list',
  'live',
  'dot',
  'json',
  'junit',
  'ctrf',
  'markdown',
  'github',
  'agent',
  'html',
  'otlp',
] as const;

export type ReporterName = (typeof reporterNames)[number];

/** A reporter, and the file that it writes instead of the standard output. */
export interface ReporterChoice {
  name: ReporterName | 'own';
  /** Of an own one: what it gets as `target`. */
  file?: string;
  /** The module of an own one. */
  module?: string;
  /** The own one, once it is loaded. */
  own?: OwnReporter;
}

/** A path, not a name. */
const MODULE = /^\.{0,2}\/|\.[cm]?[jt]s$/;

/** These do not write to the standard output, or add only lines that others may stand beside. */
const COMBINABLE: readonly ReporterChoice['name'][] = ['html', 'github', 'otlp', 'own'];

/** Reads `list,junit=out.xml,html,./mine.mjs`. */
export function parseReporters(text: string): ReporterChoice[] {
  return text.split(',').map((part) => {
    const [name = '', ...rest] = part.trim().split('=');
    const file = rest.join('=');
    if (MODULE.test(name)) return { name: 'own', module: name, ...(file === '' ? {} : { file }) };
    if (!isReporter(name)) {
      throw new UnderstudyError('BAD_FLAG', `there is no reporter ${JSON.stringify(name)}`, {
        fix: `${name === 'sarif' ? 'SARIF is written by `check` and `plugin`. ' : ''}Use one of ${reporterNames.join(', ')}; or the path of your own module (./mine.mjs); several with commas, a file with =, as in list,junit=out.xml.`,
      });
    }
    if (rest.length > 0 && file === '') {
      throw new UnderstudyError('BAD_FLAG', `--reporter ${name}= has no file`, {
        fix: `Write ${name}=FILE or ${name}.`,
      });
    }
    if (file !== '' && (name === 'live' || name === 'github')) {
      throw new UnderstudyError('BAD_FLAG', `the reporter ${name} writes to no file`, {
        fix: name === 'live' ? 'Write list=FILE.' : 'Write markdown=FILE.',
      });
    }
    return file === '' ? { name } : { name, file };
  });
}

/** Refuses two reporters for one standard output: nobody could read either. */
export function refuseMixedOutput(choices: readonly ReporterChoice[]): void {
  const loud = choices.filter(({ name, file }) => file === undefined && !COMBINABLE.includes(name));
  const [first, second] = loud;
  if (first === undefined || second === undefined) return;
  throw new UnderstudyError('BAD_FLAG', `${first.name} and ${second.name} would both write to the standard output`, {
    fix: `Give one of them a file: ${second.name}=FILE.`,
  });
}

/** Loads the reporters of users among them. */
export async function loadOwnReporters(choices: readonly ReporterChoice[]): Promise<ReporterChoice[]> {
  return Promise.all(
    choices.map(async (choice) =>
      choice.module === undefined ? choice : { ...choice, own: await loadReporter(choice.module, choice.file) },
    ),
  );
}

function isReporter(name: string): name is ReporterName {
  return (reporterNames as readonly string[]).includes(name);
}
