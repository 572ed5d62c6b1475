import { type DescribedObject, describedJsonSchema, SCENARIO_DESCRIPTIONS } from '@understudy/script';
import { rehearsalSchema } from './schema.js';

/** What an editor shows for a field, by the object that has it. */
const OBJECTS: readonly DescribedObject[] = [
  {
    marker: 'steps',
    descriptions: {
      ...SCENARIO_DESCRIPTIONS,
      agent: 'The agent: "claude", "claude@2.1.325", or a list. It runs once with each.',
      agents: 'The agents that the programs of `run` steps find on their PATH. By default `agent`.',
      stage:
        'sim (stand-in), scripted (real CLI, scripted model; the default), replay (real CLI, recorded answers) or live (real model). --stage overrides it.',
      skip: 'Stages on which it cannot run, each with the reason.',
      scenario: 'A scenario file instead of [[responses]].',
      plugins: 'Folders of plugins, relative to this file.',
      env: 'Variables for the agent. PATH is a list of folders that come first.',
      project: 'The project: generated ({ type, language }), copied ({ path }), or empty.',
      limits: 'How much the agent may write, in megabytes, before it is stopped.',
      terminal: 'The agent or program at a terminal of this size.',
      workflow: 'agent-loop, epti, visual-iteration, or a file.',
      tags: 'Words for --filter.',
      allow_unused: 'true allows rules that answer nothing.',
      allow_unanswered: 'true allows requests that no rule answers.',
      mcp: 'MCP servers that are absent or replaced, by name.',
      start: 'What must be true before the first step.',
      end: 'What must be true after the last step, when the agent has ended.',
      steps: 'What the user says or which program runs, and what must be true afterwards.',
    },
  },
  {
    marker: 'send',
    descriptions: {
      name: 'A name for people.',
      send: 'What the user says to the agent.',
      type: 'What is typed at the terminal.',
      press: 'Keys that are pressed at the terminal.',
      wait_for: 'What the screen must show before the step goes on.',
      permissions: 'What the user answers when the agent asks, by tool: allow or deny.',
      answers: 'What the user answers to questions of AskUserQuestion, by the question.',
      timeout_ms: 'How long the step may take.',
      expect: 'What must be true after the step.',
    },
  },
];

/** The rehearsal format as a JSON Schema. */
export function rehearsalJsonSchema(): object {
  return {
    ...describedJsonSchema(rehearsalSchema, OBJECTS),
    title: 'Understudy rehearsal',
    description: 'A whole test in one file: what the model answers, what the user says, what must be true afterwards.',
  };
}
