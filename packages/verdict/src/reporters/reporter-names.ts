import { UnderstudyError } from '@understudy/kit';

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
  name: ReporterName;
  file?: string;
}

/** These do not write to the standard output, or add only lines that others may stand beside. */
const BESIDE_OTHERS: readonly ReporterName[] = ['html', 'github', 'otlp'];

/** Reads `list,junit=out.xml,html`. */
export function parseReporters(text: string): ReporterChoice[] {
  return text.split(',').map((part) => {
    const [name = '', ...rest] = part.trim().split('=');
    const file = rest.join('=');
    if (!isReporter(name)) {
      throw new UnderstudyError('BAD_FLAG', `there is no reporter ${JSON.stringify(name)}`, {
        fix: `Use one of ${reporterNames.join(', ')}; several with commas, a file with =, as in list,junit=out.xml.`,
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
  const loud = choices.filter(({ name, file }) => file === undefined && !BESIDE_OTHERS.includes(name));
  const [first, second] = loud;
  if (first === undefined || second === undefined) return;
  throw new UnderstudyError('BAD_FLAG', `${first.name} and ${second.name} would both write to the standard output`, {
    fix: `Give one of them a file: ${second.name}=FILE.`,
  });
}

function isReporter(name: string): name is ReporterName {
  return (reporterNames as readonly string[]).includes(name);
}
