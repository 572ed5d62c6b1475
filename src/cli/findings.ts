import { UnderstudyError, writeWhole } from '@understudy/kit';
import { type Finding, writeSarif } from '@understudy/verdict';
import { print, printJson } from './output.js';
import { version } from './version.js';

const NAMES = ['list', 'json', 'sarif'] as const;

export interface FindingsReporter {
  name: (typeof NAMES)[number];
  /** Absent: the standard output. */
  file?: string | undefined;
}

/** `list,sarif=findings.sarif`: how `check` and `plugin` say what they found. */
export function findingsReporters(text: string | undefined, json: boolean | undefined): FindingsReporter[] {
  const named = (text ?? (json === true ? 'json' : 'list')).split(',').map(reporterOf);
  if (json === true && text !== undefined) named.push({ name: 'json' });
  if (named.filter(({ file }) => file === undefined).length > 1) {
    throw new UnderstudyError('BAD_FLAG', 'two reports cannot both be the standard output', {
      fix: 'Give one of them a file: --reporter list,sarif=findings.sarif.',
    });
  }
  return named;
}

function reporterOf(text: string): FindingsReporter {
  const [word = '', ...rest] = text.trim().split('=');
  const name = NAMES.find((one) => one === word);
  const file = rest.length === 0 ? undefined : rest.join('=');
  if (name !== undefined && file !== '' && (name !== 'list' || file === undefined)) return { name, file };
  throw new UnderstudyError('BAD_FLAG', `--reporter ${JSON.stringify(text)} cannot be written here`, {
    fix: `Use ${NAMES.join(', ')}; json and sarif take a file: sarif=findings.sarif.`,
  });
}

/** Shows what was found in each of the forms that were asked for. */
export function showFindings(
  reporters: readonly FindingsReporter[],
  shown: { list(): void; document: object; findings(): Finding[] },
): void {
  for (const { name, file } of reporters) {
    if (name === 'list') shown.list();
    else if (name === 'json' && file === undefined) printJson(shown.document);
    else {
      const text =
        name === 'json' ? `${JSON.stringify(shown.document, null, 2)}\n` : writeSarif(shown.findings(), version);
      if (file === undefined) print(text.trimEnd());
      else writeWhole(file, text);
    }
  }
}
