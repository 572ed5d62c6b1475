import type { SuiteCase } from '../../orchestrators/case.js';
import { agentSays, eventPublished, iterationCount, terminationReason } from '../checks/loop-checks.js';
import { NOT_RECORDED } from '../checks/observed-program.js';
import { condition, exitCode, fileContains } from '../checks/program-checks.js';
import { afterCommand, DONE, event, script } from './script.js';

const toolUse: SuiteCase = {
  id: 'tool-use',
  specifiedAs: () => 'claude-tool-use',
  description: 'The agent’s tools really run in the workspace',
  tier: 'Capabilities',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 1,
  quality: [
    {
      name: 'tool calls',
      optimal: 'one for one file',
      acceptable: 'one more call to check the file',
      concerning: 'many calls, or a claim without a call',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt:
      'Write a poem into poem.txt: the words roses are red, and no more. Then say "It is written." and end with the line LOOP_COMPLETE.',
    scenario: script(['Write a poem', afterCommand('echo roses are red > poem.txt', 'It is written.\nLOOP_COMPLETE')]),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    terminationReason(observed, 'completed'),
    fileContains(observed, 'poem.txt', 'roses are red'),
    agentSays(observed, 1, 'It is written.'),
  ],
  baselines: [
    {
      condition: 'the agent only says that it did it',
      expectedFailure: 'the file is not there',
      whyItMatters: 'an agent that only claims to have written a file would pass too',
      change: (setup) => ({ ...setup, scenario: script(['Write a poem', 'It is written.\nLOOP_COMPLETE']) }),
      fails: ['poem.txt has "roses are red"'],
    },
  ],
};

const streaming: SuiteCase = {
  id: 'streaming',
  specifiedAs: () => 'claude-streaming',
  description: 'The agent’s words, and nothing else, are read from its stream of events',
  tier: 'Capabilities',
  backends: ['claude'],
  expectedIterations: 2,
  quality: [
    {
      name: 'text',
      optimal: 'the agent’s words in order, and nothing else',
      acceptable: 'words with a remark of the CLI between them',
      concerning: 'words that are lost, repeated or mixed with tool results',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    prompt: [
      'Think aloud, then look around.',
      '- If the pending event is task.start, say "First I look.", then run this command in your shell: echo LOOP_COMPLETE',
      '  Then say "I have looked." and end your turn with these words.',
      '- If it is task.resume, say "That was all." and end with the line LOOP_COMPLETE.',
    ].join('\n'),
    scenario: script(
      ['Event: task.resume', 'That was all.\nLOOP_COMPLETE'],
      [
        'Event: task.start',
        {
          text: 'First I look.',
          tool_calls: [{ tool: 'Bash', input: { command: 'echo LOOP_COMPLETE' } }],
          then: 'I have looked.',
        },
      ],
    ),
  }),
  check: (observed) => {
    const output = observed.iterations[0]?.output;
    return [
      exitCode(observed, 0),
      iterationCount(observed, 2),
      agentSays(observed, 1, 'First I look.\nI have looked.'),
      condition(
        'no raw events in the output',
        output === undefined ? undefined : output !== '' && !output.includes('{"type"'),
        'the agent’s words alone',
        output ?? NOT_RECORDED,
      ),
    ];
  },
  baselines: [
    {
      condition: 'the stream is read as if it were text',
      expectedFailure: 'the promise is not found between the events',
      whyItMatters: 'it shows that the stream is parsed',
      change: (setup) => ({
        ...setup,
        config: {
          ...setup.config,
          cli: {
            backend: 'custom',
            command: 'claude',
            args: ['-p', '--verbose', '--output-format', 'stream-json', '--dangerously-skip-permissions'],
            prompt_mode: 'stdin',
          },
        },
      }),
      // A promise inside an event does not complete the loop.
      fails: ['exit code 0', '2 iterations'],
    },
  ],
};

const twoSteps: SuiteCase = {
  id: 'task-two-steps',
  description: 'A file is written over two iterations, and the second keeps what the first wrote',
  tier: 'Capabilities',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 2,
  quality: [
    {
      name: 'continuity',
      optimal: 'one chapter in each iteration, the first one untouched',
      acceptable: 'the first chapter is read again before the second is written',
      concerning: 'chapters written twice, or both in one iteration',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    prompt: [
      'Write a story of two chapters into story.txt, one chapter in each iteration.',
      '- If the pending event is task.start, run this command in your shell: echo chapter one >> story.txt',
      `  Then write ${event('chapter.done', 'chapter one')} and end your turn.`,
      '- If it is chapter.done, run this command in your shell: echo chapter two >> story.txt',
      '  Then end with the line LOOP_COMPLETE.',
    ].join('\n'),
    scenario: script(
      ['Event: chapter.done', afterCommand('echo chapter two >> story.txt', DONE)],
      ['Event: task.start', afterCommand('echo chapter one >> story.txt', event('chapter.done', 'chapter one'))],
    ),
  }),
  check: (observed) => {
    const story = observed.read('story.txt') ?? 'there is no such file';
    return [
      exitCode(observed, 0),
      iterationCount(observed, 2),
      eventPublished(observed, 'chapter.done', { payload: 'chapter one' }),
      condition('both chapters, in order', story === 'chapter one\nchapter two\n', 'chapter one, chapter two', story),
    ];
  },
  baselines: [
    {
      condition: 'the second iteration only says that it is done',
      expectedFailure: 'half of the story is missing',
      whyItMatters: 'a promise is not a chapter',
      change: (setup) => ({
        ...setup,
        scenario: script(
          ['Event: chapter.done', DONE],
          ['Event: task.start', afterCommand('echo chapter one >> story.txt', event('chapter.done', 'chapter one'))],
        ),
      }),
      fails: ['both chapters, in order'],
    },
  ],
};

/** Tier 4: tools and streams of the agents. */
export const capabilityCases: readonly SuiteCase[] = [toolUse, streaming, twoSteps];
