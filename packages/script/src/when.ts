import { compileTextPattern } from './pattern.js';
import type { Prompt } from './prompt.js';
import type { TextPattern, When } from './schema.js';

export type WhenField = keyof When;

/** Tests the context of a prompt: system prompt, model, agent, folder, hook, number of the turn and of the call. Gives the first field that does not fit. */
export type Condition = (prompt: Prompt, turn: number) => WhenField | undefined;

const FIELDS = ['system', 'model', 'agent', 'cwd', 'hook'] as const;

/** Compiles the conditions of a rule. Throws `RefusedPattern`. */
export function compileWhen(when: When | undefined): Condition | undefined {
  if (when === undefined) return undefined;
  const fields = FIELDS.flatMap((field) => {
    const wanted = when[field];
    return wanted === undefined ? [] : [{ field, pattern: compileTextPattern(asPattern(field, wanted)) }];
  });
  return (prompt, turn) => {
    if (when.turn !== undefined && when.turn !== turn) return 'turn';
    if (when.call !== undefined && when.call !== prompt.call) return 'call';
    return fields.find(({ field, pattern }) => pattern.match((prompt[field] ?? '').trim()) === undefined)?.field;
  };
}

/** A plain string is a glob for names and paths, and a text to search for in a system prompt. */
export function asPattern(field: (typeof FIELDS)[number], wanted: string | TextPattern): TextPattern {
  if (typeof wanted !== 'string') return wanted;
  return field === 'system' ? { type: 'contains', text: wanted } : { type: 'glob', pattern: wanted };
}
