import { basename, dirname, resolve } from 'node:path';
import {
  InvalidDocumentError,
  locateProblems,
  nearestWord,
  type Path,
  readSource,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import { type ContractDocument, contractSchema, type Ending } from './contract-schema.js';
import { endingProblem } from './ending.js';
import { PROMPT_FILE, placeholderNames, placeholdersIn } from './placeholders.js';

/** An orchestrator, by its contract. */
export interface Contract extends ContractDocument {
  file: string;
  name: string;
  /** The folder of the file: programs are looked for there. */
  folder: string;
  text: string;
}

/** Loads a contract. Throws with all of its problems. */
export function loadContract(file: string): Contract {
  const source = readSource(file);
  const { value, findings } = validate(contractSchema, source.value);
  const problems = value === undefined ? findings : review(value);
  if (value === undefined || problems.length > 0)
    throw new InvalidDocumentError('CONTRACT_INVALID', file, locateProblems(source, problems));
  return {
    ...value,
    file: resolve(file),
    name: value.name ?? basename(file).replace(/(?:\.orchestrator)?\.\w+$/, ''),
    folder: dirname(resolve(file)),
    text: source.text ?? '',
  };
}

/** Whether the contract hands on a value: then cases about it can be played. */
export function asksFor(contract: ContractDocument, name: 'iterations' | 'deadline'): boolean {
  return textsOf(contract).some(({ text }) => placeholdersIn(text).includes(name));
}

function review(contract: ContractDocument): UnlocatedProblem[] {
  const texts = textsOf(contract);
  return [
    ...texts.flatMap(({ text, path }) => placeholdersIn(text).flatMap((name) => unknownPlaceholder(name, text, path))),
    ...(texts.some(({ text }) => /\{\{\s*prompt(?:_file)?\s*\}\}/.test(text) || text.includes(PROMPT_FILE))
      ? []
      : [
          {
            code: 'CONTRACT_NO_PROMPT' as const,
            message: 'the prompt does not reach the orchestrator',
            fix: `Put {{prompt}} or {{prompt_file}} into \`run\`, \`env\` or \`files\`. The file is ${PROMPT_FILE} in the workspace.`,
            path: ['run'],
          },
        ]),
    ...endingsOf(contract).flatMap(([name, ending]) => {
      const problem = endingProblem(ending);
      return problem === undefined ? [] : [{ ...problem, path: [name, ...problem.path] }];
    }),
    ...sameEndings(contract),
  ];
}

/** All texts of a contract in which placeholders may stand. */
function textsOf({ run, resume = [], env = {}, files = {} }: ContractDocument): { text: string; path: Path }[] {
  return [
    ...run.map((text, index) => ({ text, path: ['run', index] })),
    ...resume.map((text, index) => ({ text, path: ['resume', index] })),
    ...Object.entries(env).map(([name, text]) => ({ text, path: ['env', name] })),
    ...Object.entries(files).map(([name, text]) => ({ text, path: ['files', name] })),
  ];
}

function unknownPlaceholder(name: string, text: string, path: Path): UnlocatedProblem[] {
  if ((placeholderNames as readonly string[]).includes(name)) return [];
  if (name === 'understudy' && text === '{{understudy}}') return [];
  const near = nearestWord(name, [...placeholderNames]);
  const known = placeholderNames.map((one) => `{{${one}}}`).join(', ');
  return [
    {
      code: 'CONTRACT_UNKNOWN_PLACEHOLDER',
      message: `{{${name}}} is not a placeholder`,
      fix: near === undefined ? `Use one of ${known}.` : `Change it to {{${near}}}.`,
      path,
    },
  ];
}

function endingsOf({ complete, stopped, failed }: ContractDocument): ['complete' | 'stopped' | 'failed', Ending][] {
  return [
    ['complete', complete],
    ...(stopped === undefined ? [] : [['stopped', stopped] as ['stopped', Ending]]),
    ...(failed === undefined ? [] : [['failed', failed] as ['failed', Ending]]),
  ];
}

/** Two endings that cannot be distinguished. */
function sameEndings(contract: ContractDocument): UnlocatedProblem[] {
  const endings = endingsOf(contract);
  return endings.flatMap(([name, ending], index) => {
    const twin = endings.slice(0, index).find(([, other]) => JSON.stringify(other) === JSON.stringify(ending));
    if (twin === undefined) return [];
    return [
      {
        code: 'CONTRACT_SAME_ENDING' as const,
        message: `\`${name}\` is recognized in the same way as \`${twin[0]}\``,
        fix: 'Give each its own exit code, words of the output, or file.',
        path: [name],
      },
    ];
  });
}
