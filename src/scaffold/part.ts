import { TRIED_FIX } from '@understudy/stage';
import type { Expectation } from '@understudy/verdict';

/** A rule of the script: the fields of one [[responses]] table. */
export interface RuleDraft {
  pattern: Record<string, unknown>;
  when?: Record<string, unknown>;
  response: unknown;
  /** It may answer nothing. */
  optional?: true;
}

/** One step of the rehearsal and the rules that answer it. */
export interface Part {
  /** What it proves, as the name of the step. */
  name: string;
  /** What the reader should know, one line each. */
  comments?: readonly string[];
  rules: readonly RuleDraft[];
  send: string;
  /** What the user answers when the agent asks. */
  permissions?: Record<string, 'allow' | 'deny'>;
  expect: Expectation;
  /** Its turn is not as others are: it ends early, or the model of the session is not asked. */
  isUnlike?: true;
  /** There must have been another turn before it. */
  needsTurn?: true;
  /** Files that the project needs for it. */
  files?: Record<string, string>;
}

/** Something of the plugin for which no step was written. */
export interface Skipped {
  name: string;
  reason: string;
  fix: string;
}

/** A rule for a prompt that only this step sends. */
export function ruleFor(prompt: string, response: unknown): RuleDraft {
  return { pattern: { type: 'exact', text: prompt }, response };
}

/** A hook or server that tried to leave its sandbox. */
export function triedPart(name: string, tried: readonly string[]): Skipped {
  return { name, reason: `it tried to reach what it must not: ${tried.join('; ')}`, fix: TRIED_FIX };
}
