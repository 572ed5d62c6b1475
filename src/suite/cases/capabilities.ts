import { endsBecause, exitsWith, fileHolds, holds, says, takesIterations } from '../assertion.js';
import type { SuiteCase } from '../case.js';
import { afterCommand, script } from './script.js';

const toolUse: SuiteCase = {
  id: 'claude-tool-use',
  description: 'The agent’s tools really run in the workspace',
  tier: 'Capabilities',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 1,
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt: 'Write a poem into poem.txt.',
    scenario: script(['Write a poem', afterCommand('echo roses are red > poem.txt', 'It is written.\nLOOP_COMPLETE')]),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    endsBecause(observed, 'completed'),
    fileHolds(observed, 'poem.txt', 'roses are red'),
    says(observed, 1, 'It is written.'),
  ],
  baselines: [
    {
      condition: 'the agent only says that it did it',
      expectedFailure: 'the file is not there',
      whyItMatters: 'an agent’s word that it wrote a file is not a file',
      change: (setup) => ({ ...setup, scenario: script(['Write a poem', 'It is written.\nLOOP_COMPLETE']) }),
      fails: ['poem.txt has "roses are red"'],
    },
  ],
};

const streaming: SuiteCase = {
  id: 'claude-streaming',
  description: 'The agent’s words are taken from its stream of events, and nothing else is',
  tier: 'Capabilities',
  backends: ['claude'],
  expectedIterations: 2,
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt: 'Think aloud, then look around.',
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
    const output = observed.iterations[0]?.output ?? '';
    return [
      exitsWith(observed, 0),
      takesIterations(observed, 2),
      says(observed, 1, 'First I look.\nI have looked.'),
      holds(
        'no raw events in the output',
        output !== '' && !output.includes('{"type"'),
        'the agent’s words alone',
        output,
      ),
    ];
  },
  baselines: [
    {
      condition: 'the stream is read as if it were text',
      expectedFailure: 'the words cannot be told from the events',
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
      fails: ['output 1 has "First I look.\nI have looked."', 'no raw events in the output'],
    },
  ],
};

/** Tier 4: what the agents can do. */
export const capabilityCases: readonly SuiteCase[] = [toolUse, streaming];
