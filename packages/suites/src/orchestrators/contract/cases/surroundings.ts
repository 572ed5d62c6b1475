import { BAD_BYTES } from '../change-output.js';
import { callCount, callsAgent, callsRunIn, endsInterrupted, saysComplete } from '../contract-checks.js';
import type { CasesFor, GenericCase, OutputChange } from '../generic-case.js';
import { answers, done, hang, neverDone, STILL_AT_IT, scripted, setupOf } from './script.js';

const LINES = 20_000;
const SPACED = 'a work  space';

/** Unusual output, signals, folders, and several runs. */
export const surroundingsCases: CasesFor = (contract) => {
  const { promise, agents, resume } = contract;
  const DONE = done(promise);
  const output = (id: string, description: string, text: string, change?: OutputChange): GenericCase => ({
    id,
    description,
    group: 'Output',
    expectedCalls: 1,
    setup: setupOf(answers(text), change === undefined ? {} : { output: change }),
    check: (runs) => [callCount(runs, { min: 1, max: 1 }), saysComplete(runs)],
    baselines: [neverDone()],
  });
  return [
    output(
      'huge-output',
      'An answer of more than a megabyte is read to its end',
      `${`${'All work and no play makes a long answer longer. '.padEnd(59, '.')}\n`.repeat(LINES)}${DONE}`,
    ),
    output('no-newline', 'A promise without a newline after it counts', DONE, 'no-newline'),
    output('bad-bytes', 'Bytes that are no UTF-8 do not stop it', `Bytes: ${BAD_BYTES}.\n${DONE}`, 'bad-bytes'),
    {
      id: 'interrupted',
      description: `Ctrl-C ends it and its agent${resume === undefined ? '' : ', and it can be continued'}`,
      group: 'Surroundings',
      expectedCalls: resume === undefined ? 2 : 3,
      setup: setupOf(answers(STILL_AT_IT, hang), {
        runs: [
          { scenario: answers(STILL_AT_IT, hang), interruptAt: 2 },
          ...(resume === undefined ? [] : [{ scenario: answers(DONE), resume: true }]),
        ],
      }),
      check: (runs) => [
        endsInterrupted(runs),
        callCount(runs, { min: 2, max: 2 }, 'no call after Ctrl-C', 1),
        ...(resume === undefined
          ? []
          : [callCount(runs, { min: 1, max: 1 }, 'the agent is called', 2), saysComplete(runs, 2)]),
      ],
      baselines: [
        {
          condition: 'there is no Ctrl-C',
          expectedFailure: 'it waits for the agent until the harness ends it',
          whyItMatters: 'it shows that the signal ends it',
          change: (setup) => ({
            ...setup,
            timeoutMs: 2500,
            runs: [{ scenario: answers(STILL_AT_IT, hang) }, ...setup.runs.slice(1)],
          }),
          fails: ['run 1: ends after Ctrl-C'],
        },
      ],
    },
    {
      id: 'two-backends',
      description: 'The agent that is asked for is the one that is called',
      group: 'Surroundings',
      expectedCalls: 2,
      once: true,
      skipReason: agents.length > 1 ? undefined : 'the contract has one agent',
      setup: setupOf(answers(DONE), { runs: [0, 1].map((agent) => ({ scenario: answers(DONE), agent })) }),
      check: (runs) =>
        [0, 1].flatMap((index) => [callsAgent(runs, agents[index] ?? '', index + 1), saysComplete(runs, index + 1)]),
      baselines: [
        {
          condition: 'the same agent is asked for twice',
          expectedFailure: 'the second one is not called',
          whyItMatters: 'it shows that the calls are distinguished',
          change: (setup) => ({ ...setup, runs: setup.runs.map((plan) => ({ ...plan, agent: 0 })) }),
          fails: [`run 2: only ${agents[1] ?? ''} is called`],
        },
      ],
    },
    {
      id: 'spaces',
      description: 'A folder with spaces in its name is a folder',
      group: 'Surroundings',
      expectedCalls: 2,
      setup: setupOf(answers(STILL_AT_IT, DONE), { folder: SPACED }),
      check: (runs) => [callsRunIn(runs, SPACED), callCount(runs, { min: 2, max: 2 }), saysComplete(runs)],
      baselines: [
        {
          condition: 'the folder has no spaces',
          expectedFailure: 'the agent runs elsewhere',
          whyItMatters: 'it shows that the folder of the calls is looked at',
          change: (setup) => ({ ...setup, folder: 'project' }),
          fails: [`the agent runs in "${SPACED}"`],
        },
      ],
    },
    {
      id: 'two-at-once',
      description: 'Two of them in two folders do not disturb each other',
      group: 'Surroundings',
      expectedCalls: 4,
      setup: setupOf(answers(DONE), {
        together: true,
        runs: ['first', 'second'].map((folder) => ({ scenario: answers(STILL_AT_IT, DONE), folder })),
      }),
      check: (runs) =>
        ['first', 'second'].flatMap((folder, index) => [
          saysComplete(runs, index + 1),
          callCount(runs, { min: 2, max: 2 }, '2 calls', index + 1),
          callsRunIn(runs, folder, index + 1),
        ]),
      baselines: [
        {
          condition: 'the agent of the second is done at once',
          expectedFailure: 'the second one makes one call',
          whyItMatters: 'it shows that the two are looked at separately',
          change: (setup) => scripted(setup, answers(DONE), 1),
          fails: ['run 2: 2 calls'],
        },
      ],
    },
    {
      id: 'run-again',
      description: 'What an earlier run left behind does not make the next one complete',
      group: 'Surroundings',
      expectedCalls: 3,
      setup: setupOf(answers(DONE), {
        runs: [{ scenario: answers(DONE) }, { scenario: answers(STILL_AT_IT, DONE) }],
      }),
      check: (runs) => [
        saysComplete(runs, 1),
        callCount(runs, { min: 2, max: 2 }, '2 calls', 2),
        saysComplete(runs, 2),
      ],
      baselines: [
        {
          condition: 'the agent is done at once the second time, too',
          expectedFailure: 'the second run makes one call',
          whyItMatters: 'it shows that the calls of the second run are counted',
          change: (setup) => scripted(setup, answers(DONE), 1),
          fails: ['run 2: 2 calls'],
        },
      ],
    },
  ];
};
