import { isObject, type JsonObject, parseJson } from '@understudy/kit';
import { announcesBackground } from './output.js';

/**
 * What the model reads of a hook in the background that has ended. It decides nothing: its message and its context are
 * told, without a word about where they come from.
 */
export function lateWords(stdout: string): string[] {
  const { systemMessage, hookSpecificOutput: specific } = lateResponse(stdout);
  const notes = [systemMessage, isObject(specific) ? specific['additionalContext'] : undefined];
  return notes.filter((note): note is string => typeof note === 'string' && note !== '');
}

/** The output of a hook in the background: all of it, or the first line that is a JSON object and no announcement. */
function lateResponse(stdout: string): JsonObject {
  const rest = announcesBackground(stdout) ? stdout.slice(stdout.indexOf('\n') + 1) : stdout;
  for (const text of [rest, ...rest.split('\n')]) {
    const output = parseJson(text.trim());
    if (isObject(output) && !('async' in output)) return output;
  }
  return {};
}
