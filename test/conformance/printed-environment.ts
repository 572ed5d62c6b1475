import type { ScriptedCase } from './scripted-case.js';

/** A case in which a command writes down those variables of its environment that have such names. */
export function printedEnvironment(usage: object, names: string): Pick<ScriptedCase, 'scenario' | 'written'> {
  return {
    scenario: {
      responses: [
        {
          pattern: { type: 'any' },
          response: {
            tool_calls: [
              { tool: 'shell', input: { command: `env | grep -E '^(${names})=' | LC_ALL=C sort > env.txt` } },
            ],
            usage,
            then: { text: 'Done.', usage },
          },
        },
      ],
    },
    written: ['env.txt'],
  };
}
