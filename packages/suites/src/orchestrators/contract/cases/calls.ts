import { callCount, callsAgent, callsGetPrompt, saysComplete, saysStopped } from '../contract-checks.js';
import type { CasesFor } from '../generic-case.js';
import { asksFor } from '../load-contract.js';
import { afterCommand, answers, done, doneAtOnce, MARK, neverDone, STILL_AT_IT, setupOf } from './script.js';

const NO_LIMIT = 'the contract does not hand on {{iterations}}';

/** What is called, when it ends, and at which limit. */
export const callCases: CasesFor = (contract) => {
  const { promise } = contract;
  const DONE = done(promise);
  return [
    {
      id: 'connects',
      description: 'The agent is called with the prompt, and its answer is understood',
      group: 'Calls',
      expectedCalls: 1,
      setup: setupOf(answers(DONE)),
      check: (runs, agent) => [callsGetPrompt(runs, MARK), callsAgent(runs, agent), saysComplete(runs)],
      baselines: [
        {
          condition: 'the agent is missing',
          expectedFailure: 'no agent is called',
          whyItMatters: 'an orchestrator that calls nobody would pass too',
          change: (setup) => ({ ...setup, missing: true, iterations: 1, timeoutMs: 5000 }),
          fails: ['the agent gets the prompt', 'says complete'],
        },
      ],
    },
    {
      id: 'one-iteration',
      description: 'Work that is done at once takes one call',
      group: 'Calls',
      expectedCalls: 1,
      setup: setupOf(answers(DONE)),
      check: (runs) => [callCount(runs, { min: 1, max: 1 }), saysComplete(runs)],
      baselines: [
        {
          condition: 'the agent is done at its second call',
          expectedFailure: 'there are two calls',
          whyItMatters: 'it shows that calls are counted',
          change: (setup) => ({ ...setup, runs: [{ scenario: answers(STILL_AT_IT, DONE) }] }),
          fails: ['1 call'],
        },
      ],
    },
    {
      id: 'several-iterations',
      description: 'The agent is called until it is done, each time with the prompt',
      group: 'Calls',
      expectedCalls: 3,
      setup: setupOf(answers(STILL_AT_IT, STILL_AT_IT, DONE)),
      check: (runs) => [
        callCount(runs, { min: 3, max: Number.POSITIVE_INFINITY }, 'at least 3 calls'),
        callsGetPrompt(runs, MARK),
        saysComplete(runs),
      ],
      baselines: [doneAtOnce(promise, ['at least 3 calls'])],
    },
    {
      id: 'stops-at-promise',
      description: 'After the promise no other call is made',
      group: 'Promise',
      expectedCalls: 2,
      setup: setupOf(answers(STILL_AT_IT, DONE, 'There is nothing to do.')),
      check: (runs) => [callCount(runs, { min: 2, max: 2 }), saysComplete(runs)],
      baselines: [doneAtOnce(promise, ['2 calls'])],
    },
    {
      id: 'promise-in-prompt',
      description: 'A promise that the prompt quotes is none',
      group: 'Promise',
      expectedCalls: 2,
      setup: setupOf(answers(STILL_AT_IT, DONE), {
        prompt: `${MARK}: build it. When all of it is done, end with this line:\n\n${promise}\n\nNot earlier.`,
      }),
      check: (runs) => [callCount(runs, { min: 2, max: 2 }), callsGetPrompt(runs, MARK), saysComplete(runs)],
      baselines: [doneAtOnce(promise, ['2 calls'])],
    },
    {
      id: 'promise-in-tool-output',
      description: 'A promise in the output of a tool is none',
      group: 'Promise',
      expectedCalls: 2,
      setup: setupOf(answers(afterCommand(`echo '${promise}'`, STILL_AT_IT), DONE)),
      check: (runs) => [callCount(runs, { min: 2, max: 2 }), saysComplete(runs)],
      baselines: [doneAtOnce(promise, ['2 calls'])],
    },
    {
      id: 'iteration-limit',
      description: 'At its limit of iterations it stops, and does not say complete',
      group: 'Limits',
      expectedCalls: 3,
      skipReason: asksFor(contract, 'iterations') ? undefined : NO_LIMIT,
      setup: setupOf(answers(STILL_AT_IT), { iterations: 3 }),
      check: (runs) => [
        callCount(runs, { min: 3, max: 3 }),
        saysStopped(runs, contract.stopped === undefined ? ['failed'] : ['stopped']),
      ],
      baselines: [doneAtOnce(promise, ['3 calls', 'says stopped'])],
    },
    {
      id: 'promise-at-limit',
      description: 'A promise in the last iteration that is allowed counts',
      group: 'Limits',
      expectedCalls: 2,
      skipReason: asksFor(contract, 'iterations') ? undefined : NO_LIMIT,
      setup: setupOf(answers(STILL_AT_IT, DONE), { iterations: 2 }),
      check: (runs) => [callCount(runs, { min: 2, max: 2 }), saysComplete(runs)],
      baselines: [neverDone()],
    },
  ];
};
