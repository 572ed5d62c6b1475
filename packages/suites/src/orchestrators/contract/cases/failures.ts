import type { Failure, Response } from '@understudy/script';
import { callCount, firstCallKilled, saysComplete, saysFailed, saysNotComplete } from '../contract-checks.js';
import type { CasesFor, GenericCase } from '../generic-case.js';
import { asksFor, type Contract } from '../load-contract.js';
import { afterCommand, answers, done, hang, scripted, setupOf } from './script.js';

const LIMIT = 3;
/** A loop may end at its limit as usual after a few failures, but not after so many: Ralph gives up at the fifth. */
const MANY = 6;
/** Long enough for a stand-in to have begun. */
const DEADLINE_SECONDS = 2;

/** Agents that fail, hang, are killed or are not there. */
export const failureCases: CasesFor = (contract) => {
  const DONE = done(contract.promise);
  const always = (id: string, description: string, how: Failure | 'then-fails'): GenericCase => ({
    id,
    description,
    group: 'Failing agents',
    expectedCalls: MANY,
    skipReason: asksFor(contract, 'iterations') || contract.on_agent_failure === 'stop' ? undefined : NO_END,
    setup:
      how === 'then-fails'
        ? setupOf(answers(DONE), { iterations: MANY, output: how })
        : setupOf(answers({ failure: how }), { iterations: MANY }),
    check: (runs) => [saysFailed(runs), callCount(runs, { min: 1, max: mostCalls(contract, MANY) })],
    baselines: [
      {
        condition: 'the agent works',
        expectedFailure: 'the work is done',
        whyItMatters: 'an orchestrator that never says complete would pass too',
        change: ({ output: _, ...setup }) => scripted(setup, answers(DONE)),
        fails: ['says failed'],
      },
    ],
  });
  return [
    once(contract, 'agent-fails-once', 'An agent that fails once', { failure: { type: 'server_error' } }),
    always('agent-fails-always', 'An agent that always fails is no success, and is not called for ever', {
      type: 'server_error',
    }),
    once(contract, 'rate-limit', 'An agent that is refused by a rate limit once', { failure: { type: 'rate_limit' } }),
    always('signed-out', 'An agent that is not signed in is no success', { type: 'auth_error' }),
    always('promise-then-failure', 'A promise of an agent that then fails does not count', 'then-fails'),
    {
      ...once(contract, 'agent-killed', 'An agent that is killed', afterCommand('kill -9 $PPID', 'Alive.')),
      check: (runs, agent) => [firstCallKilled(runs), ...checksOfOnce(contract)(runs, agent)],
    },
    {
      id: 'agent-hangs',
      description: 'An agent that does not end is ended at the deadline',
      group: 'Failing agents',
      expectedCalls: 1,
      skipReason: asksFor(contract, 'deadline') ? undefined : 'the contract does not hand on {{deadline}}',
      setup: setupOf(answers(hang), { iterations: 1, deadline: DEADLINE_SECONDS }),
      check: (runs) => [saysNotComplete(runs), callCount(runs, { min: 1, max: 1 })],
      baselines: [
        {
          condition: 'there is no deadline',
          expectedFailure: 'the orchestrator waits until the harness ends it',
          whyItMatters: 'it shows that the agent hangs, and that the orchestrator’s own deadline ends it',
          change: ({ deadline, ...setup }) => ({ ...setup, timeoutMs: 1000 * DEADLINE_SECONDS }),
          fails: [NOT_COMPLETE],
        },
      ],
    },
    {
      id: 'agent-missing',
      description: 'Without the agent’s program it ends, and does not say complete',
      group: 'Failing agents',
      expectedCalls: 0,
      skipReason: asksFor(contract, 'iterations') || contract.on_agent_failure === 'stop' ? undefined : NO_END,
      setup: setupOf(answers(DONE), { iterations: LIMIT, missing: true }),
      check: (runs) => [saysNotComplete(runs), callCount(runs, { min: 0, max: 0 }, 'no call')],
      baselines: [
        {
          condition: 'the program is there',
          expectedFailure: 'the agent answers',
          whyItMatters: 'an orchestrator that never finds its agent would pass too',
          change: (setup) => ({ ...setup, missing: false }),
          fails: [NOT_COMPLETE, 'no call'],
        },
      ],
    },
  ];
};

const NO_END = 'the contract does not hand on {{iterations}}, and the agent is started again after a failure';
const AT_LEAST_2 = 'at least 2 calls';
const WHAT_FOLLOWS = {
  retry: 'is called again',
  fallback: 'is replaced by another one',
  stop: 'ends the run as a failure',
} as const;
const NOT_COMPLETE = 'ends, and does not say complete';

/** A first call that fails, and then one that is done. What must follow is in the contract. */
function once(contract: Contract, id: string, subject: string, first: Response | { failure: Failure }): GenericCase {
  const { on_agent_failure: then } = contract;
  const retries = then !== 'stop';
  const DONE = done(contract.promise);
  return {
    id,
    description: `${subject} ${WHAT_FOLLOWS[then]}`,
    group: 'Failing agents',
    expectedCalls: retries ? 2 : 1,
    setup: setupOf(answers(first, DONE), { iterations: LIMIT }),
    check: checksOfOnce(contract),
    baselines: [
      {
        condition: 'the agent does not fail',
        expectedFailure: 'the work is done at the first call',
        whyItMatters: 'it shows that there was a failure',
        change: (setup) => scripted(setup, answers(DONE)),
        fails: [then === 'retry' ? '2 calls' : then === 'fallback' ? AT_LEAST_2 : NOT_COMPLETE],
      },
    ],
  };
}

function checksOfOnce(contract: Contract): GenericCase['check'] {
  const { on_agent_failure: then } = contract;
  return (runs) => {
    if (then === 'stop') return [callCount(runs, { min: 1, max: 1 }), saysNotComplete(runs)];
    const calls =
      then === 'retry'
        ? callCount(runs, { min: 2, max: 2 })
        : callCount(runs, { min: 2, max: mostCalls(contract) }, AT_LEAST_2);
    return [calls, saysComplete(runs)];
  };
}

/** With a fallback, each iteration may call every agent, and some in several ways. */
function mostCalls({ on_agent_failure: then }: Contract, limit = LIMIT): number {
  return then === 'fallback' ? Number.POSITIVE_INFINITY : limit;
}
