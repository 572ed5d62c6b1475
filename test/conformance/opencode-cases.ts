import type { ModelAnswer } from './openai-model.js';

/** One command line for OpenCode and its stand-in, and what the model says to each. */
export interface OpenCodeCase {
  name: string;
  args: string[];
  answer: ModelAnswer;
  scenario: object;
  /** Only the exit code is compared, because the texts differ. */
  onlyCode?: true;
}

const TEXTS = { text: 'I will look.', closing: 'Done: all well.\nSecond line.' };
const CALL = { command: 'echo hi; exit 3', description: 'Say hi' };
const usage = { input_tokens: 10, output_tokens: 5 };

const LOOK = {
  answer: { ...TEXTS, tools: [['bash', CALL]] } satisfies ModelAnswer,
  scenario: {
    default_model: 'fake/fake-model',
    tool_execution: { mode: 'live' },
    responses: [
      {
        pattern: { type: 'contains', text: 'look' },
        response: {
          text: TEXTS.text,
          usage,
          tool_calls: [{ tool: 'Bash', input: CALL }],
          then: { text: TEXTS.closing, usage },
        },
      },
    ],
  },
};

export const OPENCODE_CASES: readonly OpenCodeCase[] = [
  { name: 'events', args: ['run', '--format', 'json', '--title', 't', 'look'], ...LOOK },
  { name: 'text', args: ['run', '--title', 't', 'look'], ...LOOK },
  {
    name: 'a wrong key',
    args: ['run', '--format', 'json', '--title', 't', 'look'],
    answer: { status: 401, text: 'bad key' },
    scenario: { responses: [{ pattern: { type: 'any' }, failure: { type: 'auth_error', message: 'bad key' } }] },
  },
  { name: 'no message', args: ['run'], ...LOOK },
  { name: 'no such session', args: ['run', '-s', 'ses_nowhere', 'look'], ...LOOK },
  { name: 'an unknown flag', args: ['run', '--bogus', 'look'], ...LOOK, onlyCode: true },
];
