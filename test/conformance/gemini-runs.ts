import type { ScriptedRun } from './scripted-case.js';

// Given, not estimated: texts with paths are longer on other machines.
export const usage = { input_tokens: 1000, output_tokens: 500, cache_read_input_tokens: 200 };

export const text = (...args: string[]): ScriptedRun => ({ args: ['-y', ...args] });
export const stream = (...args: string[]): ScriptedRun => text('-o', 'stream-json', ...args);
export const json = (...args: string[]): ScriptedRun => text('-o', 'json', ...args);

export type Call = [tool: string, input: object];

/** One prompt that calls the tools one after the other. */
export function chain(calls: readonly Call[]): object {
  return calls.reduceRight<object>((then, [tool, input]) => ({ tool_calls: [{ tool, input }], usage, then }), {
    text: 'End.',
    usage,
  });
}

export const contains = (part: string): object => ({ type: 'contains', text: part });
