import { basename } from 'node:path';
import { type Context, createContext, runInContext } from 'node:vm';
import { UnderstudyError } from '@understudy/kit';
import { toolAliases } from '../tools.js';
import { conditionHolds } from './condition.js';
import { hookEventFacts } from './events.js';
import type { Hook, HookInput } from './hook.js';
import { hookLabel } from './verdict.js';

const DEADLINE_MS = 1000;
let context: Context | undefined;

/** Plain characters are a name, or names in a list; anything else is a regular expression. */
const PLAIN = /^[\w|,\s-]+$/;

/**
 * Does a matcher cover a subject? Empty and `*` cover everything; `Write`, `Write|Edit` and `Write, Edit` are
 * names; `mcp__.*` is an unanchored regular expression. One that is not valid covers nothing.
 */
export function matcherCovers(matcher: string, subject: string): boolean {
  const pattern = matcher.trim();
  if (pattern === '' || pattern === '*') return true;
  return matcherNames(pattern)?.includes(subject) ?? (isRegex(pattern) && regexMatches(pattern, subject));
}

/** The names in a matcher that is a list of names; nothing where it is a regular expression, or covers everything. */
export function matcherNames(matcher: string): string[] | undefined {
  return PLAIN.test(matcher.trim()) ? matcher.split(/[|,]/).map((name) => name.trim()) : undefined;
}

/** Is it meant as a regular expression, and is not a valid one? */
export function isBrokenMatcher(matcher: string): boolean {
  const pattern = matcher.trim();
  return pattern !== '' && pattern !== '*' && !PLAIN.test(pattern) && !isRegex(pattern);
}

function isRegex(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

/** Matchers are JavaScript, look-around included. So they cannot run in linear time, and get a deadline instead. */
function regexMatches(pattern: string, subject: string): boolean {
  try {
    const test = `new RegExp(${JSON.stringify(pattern)}).test(${JSON.stringify(subject)})`;
    context ??= createContext();
    return runInContext(test, context, { timeout: DEADLINE_MS }) === true;
  } catch (cause) {
    throw new UnderstudyError('PATTERN_REFUSED', `the hook matcher ${JSON.stringify(pattern)} takes too long`, {
      fix: 'Rewrite it without nested repetitions, such as (a+)+.',
      cause,
    });
  }
}

/** What a matcher is compared with: one value under all its names, or nothing where every hook fires. */
export function matcherSubjects(input: Pick<HookInput, 'hook_event_name' | string>): string[] | undefined {
  const { matches } = hookEventFacts(String(input['hook_event_name']));
  if (matches === undefined) return undefined;
  const value = String(input[matches] ?? '');
  if (matches === 'tool_name') return toolAliases(value);
  // A watched file is named by its last part.
  return [matches === 'file_path' ? basename(value) : value];
}

/** Does a hook with this matcher fire for this payload? */
export function matcherFires(matcher: string, input: Pick<HookInput, 'hook_event_name' | string>): boolean {
  return matcherSubjects(input)?.some((subject) => matcherCovers(matcher, subject)) ?? true;
}

/** The hooks that fire for an input. The same command of the same origin fires once, unless on another condition. */
export function matchingHooks(hooks: readonly Hook[], input: HookInput): Hook[] {
  const seen = new Set<string>();
  return hooks.filter((hook) => {
    if (hook.event !== input.hook_event_name || !matcherFires(hook.matcher, input)) return false;
    if (!conditionHolds(hook.condition ?? '', input)) return false;
    const identity = `${hook.plugin?.root ?? ''}\0${hook.condition ?? ''}\0${hook.run.type === 'callback' ? hook.run.id : hookLabel(hook)}`;
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}
