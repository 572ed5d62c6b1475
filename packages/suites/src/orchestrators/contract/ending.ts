import type { UnlocatedProblem } from '@understudy/kit';
import { textConditions } from '@understudy/verdict';
import type { ContractDocument, Ending } from './contract-schema.js';

/** How a run ended, by the contract. `unclear`: the contract has no such ending; `killed`: the harness or a signal. */
export type EndState = 'complete' | 'stopped' | 'failed' | 'unclear' | 'killed';

/** What is looked at to find out how a run ended. */
export interface EndedRun {
  code: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

/** How a run ended. `read` gives the text of a file of its workspace. */
export function endStateOf(
  contract: ContractDocument,
  run: EndedRun,
  read: (file: string) => string | undefined,
): EndState {
  if (run.timedOut || run.code === null) return 'killed';
  const { complete, stopped, failed } = contract;
  const holds = (ending: Ending | undefined) => ending !== undefined && isSo(ending, run, read);
  if (holds(complete)) return 'complete';
  if (holds(stopped)) return 'stopped';
  if (failed === undefined ? run.code !== 0 : holds(failed)) return 'failed';
  return 'unclear';
}

function isSo(ending: Ending, { code, stdout, stderr }: EndedRun, read: (file: string) => string | undefined): boolean {
  const { exit_code: codes, file } = ending;
  if (codes !== undefined && ![codes].flat().includes(code ?? -1)) return false;
  if (!matches(ending.stdout, stdout) || !matches(ending.stderr, stderr)) return false;
  if (file === undefined) return true;
  const { path, contains } = typeof file === 'string' ? { path: file, contains: '' } : file;
  return read(path)?.includes(contains) === true;
}

function matches(expected: Ending['stdout'], text: string): boolean {
  return expected === undefined || textConditions(expected).every(({ holds }) => holds(text));
}

/** What is wrong with an ending: nothing to look at, or a pattern that cannot be compiled. */
export function endingProblem(ending: Ending): UnlocatedProblem | undefined {
  if (Object.keys(ending).length === 0)
    return {
      code: 'CONTRACT_SAME_ENDING',
      message: 'every run would end like this',
      fix: 'Add `exit_code`, `stdout`, `stderr` or `file`.',
      path: [],
    };
  for (const stream of ['stdout', 'stderr'] as const) {
    try {
      matches(ending[stream], '');
    } catch (error) {
      return { code: 'INVALID_VALUE', message: (error as Error).message, path: [stream] };
    }
  }
  return undefined;
}
