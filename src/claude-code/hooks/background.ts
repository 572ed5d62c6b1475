import { isObject, parseJson } from '../../document/json.js';

/**
 * Whether a hook says in its first line that it goes on by itself: `{"async": true}`. The CLI then waits no longer for
 * it, and takes no verdict from it.
 */
export function announcesBackground(stdout: string): boolean {
  const end = stdout.indexOf('\n');
  if (end === -1) return false;
  const line = parseJson(stdout.slice(0, end));
  return isObject(line) && line['async'] === true;
}

/** What a hook in the background tells the model when it has ended: only the context of its JSON. */
export function backgroundContext(stdout: string): string | undefined {
  const text = announcesBackground(stdout) ? stdout.slice(stdout.indexOf('\n') + 1) : stdout;
  const output = parseJson(text);
  const specific = isObject(output) ? output['hookSpecificOutput'] : undefined;
  const context = isObject(specific) ? specific['additionalContext'] : undefined;
  return typeof context === 'string' && context !== '' ? context : undefined;
}
