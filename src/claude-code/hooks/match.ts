import { HOOK_EVENTS, type Hook, type HookInput } from './hook.js';

/** Plain characters are a name, or names in a list; anything else is a regular expression. */
const PLAIN = /^[\w|,\s-]+$/;

/**
 * Whether a matcher covers a subject. Empty and `*` cover everything; `Write` and `Write|Edit` are
 * names; `mcp__.*` is an unanchored regular expression. One that is not valid covers nothing.
 */
export function matcherCovers(matcher: string, subject: string): boolean {
  const pattern = matcher.trim();
  if (pattern === '' || pattern === '*') return true;
  if (PLAIN.test(pattern)) return pattern.split(/[|,]/).some((name) => name.trim() === subject);
  try {
    return new RegExp(pattern).test(subject);
  } catch {
    return false;
  }
}

/** The hooks that fire for an input. The same command of the same origin fires once. */
export function matchingHooks(hooks: readonly Hook[], input: HookInput): Hook[] {
  const { matches } = HOOK_EVENTS[input.hook_event_name];
  const subject = matches === undefined ? undefined : String(input[matches] ?? '');
  const seen = new Set<string>();
  return hooks.filter((hook) => {
    if (hook.event !== input.hook_event_name) return false;
    if (subject !== undefined && !matcherCovers(hook.matcher, subject)) return false;
    const identity = `${hook.plugin?.root ?? ''}\0${hook.run.type === 'command' ? hook.run.command : hook.run.id}`;
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}
