import { join } from 'node:path';
import { defined } from '@understudy/kit';
import { answers, done, STILL_AT_IT, setupOf } from '../cases/script.js';
import type { SeenRun } from '../generic-case.js';
import { asksFor, type Contract } from '../load-contract.js';
import { runPlan } from '../run-plan.js';
import type { Endings } from './contract-text.js';

type Ended = Pick<SeenRun, 'code' | 'stdout' | 'stderr' | 'timedOut'>;

/** Runs the program twice with stand-ins, once with work that is done and once to its limit, and compares the ends. */
export async function learnEndings(contract: Contract, folder: string): Promise<Endings> {
  const [agent = 'claude'] = contract.agents;
  const play = (text: string, iterations: number) =>
    runPlan({ scenario: answers(text) }, setupOf(answers(text), { iterations }), 1, {
      ...{ contract, stage: 'sim', agents: contract.agents, agent, folder: join(folder, `limit-${iterations}`) },
    });
  // Some do not believe the first promise.
  const complete = await play(done(contract.promise), 3);
  if (!asksFor(contract, 'iterations')) return { complete: { exit_code: 0 } };
  return compareEnds(complete, await play(STILL_AT_IT, 1));
}

/** What distinguishes the two ends: the exit code, or else the last words that only one of them has. */
export function compareEnds(complete: Ended, stopped: Ended): Endings {
  if (complete.code === null || stopped.code === null) return { complete: { exit_code: 0 } };
  const completeCode = { exit_code: complete.code };
  const stoppedCode = { exit_code: stopped.code };
  if (complete.code !== stopped.code) return { complete: completeCode, stopped: stoppedCode };
  const ofComplete = ownWords(complete.stdout, stopped.stdout);
  const ofStopped = ownWords(stopped.stdout, complete.stdout);
  if (ofComplete === undefined && ofStopped === undefined) return { complete: completeCode };
  return {
    complete: { ...completeCode, ...defined({ stdout: ofComplete }) },
    stopped: { ...stoppedCode, ...defined({ stdout: ofStopped }) },
  };
}

/** The start of the last line that the other output does not have; numbers and paths differ in every run. */
function ownWords(text: string, other: string): string | undefined {
  return text
    .split('\n')
    .map((line) => /^[^\d/]*/.exec(line.trim())?.[0].trim() ?? '')
    .findLast((words) => words.length > 3 && !other.includes(words));
}
