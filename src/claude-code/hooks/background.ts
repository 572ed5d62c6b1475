import { isObject, type JsonObject, parseJson } from '../../document/json.js';
import type { HookInput, HookRun } from './hook.js';
import { announcesBackground } from './output.js';
import { hookLabel } from './verdict.js';

/** What becomes of a hook that the CLI has not waited for: a line of the transcript, and what the model reads of it. */
export interface LateWords {
  attachment: JsonObject & { type: string };
  notes: string[];
}

/**
 * What a hook in the background has said when it ends. It decides nothing: the model reads its message and its context,
 * without a word about where they come from. A hook that ends well and says nothing in JSON leaves no line.
 */
export function lateWords(id: string, name: string, input: HookInput, run: HookRun): LateWords | undefined {
  const { hook, stdout, stderr, exitCode } = run;
  const response = lateResponse(stdout);
  if (Object.keys(response).length === 0 && stderr === '' && exitCode === 0) return undefined;
  const { hook_event_name: event, tool_name: toolName } = input;
  const specific = response['hookSpecificOutput'];
  const notes = [response['systemMessage'], isObject(specific) ? specific['additionalContext'] : undefined];
  return {
    attachment: {
      ...{ type: 'async_hook_response', processId: id, hookName: name, hookEvent: event },
      ...(toolName === undefined ? {} : { toolName }),
      ...(event === 'SessionStart' ? { command: hookLabel(hook) } : {}),
      ...{ response, stdout, stderr, exitCode },
    },
    notes: notes.filter((note): note is string => typeof note === 'string' && note !== ''),
  };
}

/** The output of a hook in the background: all of it, or the first line that is a JSON object and no announcement. */
function lateResponse(stdout: string): JsonObject {
  const rest = announcesBackground(stdout) ? stdout.slice(stdout.indexOf('\n') + 1) : stdout;
  for (const text of [rest, ...rest.split('\n')]) {
    const output = parseJson(text.trim());
    if (isObject(output) && !('async' in output)) return understood(output);
  }
  return {};
}

type IsKnown = (value: unknown) => boolean;

const isText: IsKnown = (value) => typeof value === 'string';
const isBoolean: IsKnown = (value) => typeof value === 'boolean';

/** The fields that the model reads. */
const READ: Record<string, IsKnown> = { systemMessage: isText, hookSpecificOutput: isObject };

/** The fields that the CLI keeps of an output. */
const RESPONSE: Record<string, IsKnown> = {
  ...READ,
  ...{ continue: isBoolean, suppressOutput: isBoolean, stopReason: isText, reason: isText },
  decision: (value) => value === 'approve' || value === 'block',
};

const SPECIFIC: Record<string, IsKnown> = {
  ...{ hookEventName: isText, additionalContext: isText, sessionTitle: isText },
  ...{ permissionDecision: isText, permissionDecisionReason: isText, updatedInput: isObject },
};

/** What the CLI understands of an output. Where a field has a wrong value, only what the model reads is left. */
function understood(output: JsonObject): JsonObject {
  const isValid = Object.entries(RESPONSE).every(([key, isKnown]) => !(key in output) || isKnown(output[key]));
  return knownFields(output, isValid ? RESPONSE : READ);
}

function knownFields(output: JsonObject, known: Record<string, IsKnown>): JsonObject {
  const kept = Object.entries(output).filter(([key, value]) => known[key]?.(value) === true);
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === 'hookSpecificOutput' ? knownFields(value as JsonObject, SPECIFIC) : value,
    ]),
  );
}
