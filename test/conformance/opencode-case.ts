import type { ModelAnswer } from './openai-model.js';

/** One command line for OpenCode and its stand-in, and what the model says to each. */
export interface OpenCodeCase {
  name: string;
  args: string[];
  /** What is run after it, in the same home; `{session}` is its session. */
  then?: readonly string[][];
  /** The project is a git repository with one commit. */
  git?: true;
  answer: ModelAnswer;
  scenario: object;
  /** Only the exit code is compared, because the texts differ. */
  onlyCode?: true;
  /** Only the results of the tools are compared, in any order: the real one runs them side by side. */
  onlyToolResults?: true;
  /** Files of the project. */
  files?: Record<string, string>;
  /** Files of the home. */
  home?: Record<string, string>;
  /** The folder of the project in which it runs. */
  folder?: string;
  /** What the model is told is compared, too. */
  told?: true;
}

type Step = NonNullable<ModelAnswer['steps']>[number];

const usage = { input_tokens: 10, output_tokens: 5 };

/** What the model says, step by step, to the real one and as a scenario. */
export function stepsOf(...steps: Step[]): Pick<OpenCodeCase, 'answer' | 'scenario'> {
  const [response] = steps.reduceRight<object[]>((later, { text, tools = [] }) => {
    const calls = tools.map(([tool, input]) => ({ tool, input, offered: false }));
    const said = { usage, ...(text === undefined ? {} : { text }) };
    const [next] = later;
    return [
      { ...said, ...(calls.length === 0 ? {} : { tool_calls: calls }), ...(next === undefined ? {} : { then: next }) },
    ];
  }, []);
  return {
    answer: { steps },
    scenario: {
      default_model: 'fake/fake-model',
      tool_execution: { mode: 'live' },
      responses: [{ pattern: { type: 'any' }, response }],
    },
  };
}

/** The model just answers. */
export const ANSWERED = stepsOf({ text: 'ok' });

/** Each call in a step of its own, then an answer. */
export function calling(...tools: NonNullable<Step['tools']>): Pick<OpenCodeCase, 'answer' | 'scenario'> {
  return stepsOf(...tools.map((tool) => ({ tools: [tool] })), { text: 'done' });
}

export const JSON_RUN = ['run', '--format', 'json', '--title', 't'];
export const TEXT_RUN = ['run', '--title', 't'];

/** The settings of a project. */
export function settings(values: object): Record<string, string> {
  return { 'opencode.json': JSON.stringify(values) };
}
