import { UnderstudyError } from '@understudy/kit';
import { chooseIsolation, type IsolationState, requestedIsolation } from '@understudy/stage';
import { printWarning } from './output.js';

let isWarned = false;

/**
 * How far programs are kept apart from this machine. What was asked for and is not there is an error before anything
 * runs; in CI, where nobody reads the first line, `auto` warns when it is `none`.
 */
export async function chosenIsolation(asked: string | undefined): Promise<IsolationState> {
  const { level, reason } = await chooseIsolation(requestedIsolation(asked));
  if (reason === undefined) return { level };
  if (!['', '0', 'false', undefined].includes(process.env['CI']) && !isWarned) {
    isWarned = true;
    const message = `nothing keeps agents and plugins apart from this machine: ${reason}`;
    printWarning(
      new UnderstudyError('ISOLATION_NOT_AVAILABLE', message, {
        fix: 'Install what is missing (see docs/isolation.md), and use `--isolation required`, which makes this an error.',
      }),
    );
  }
  return { level, reason };
}
