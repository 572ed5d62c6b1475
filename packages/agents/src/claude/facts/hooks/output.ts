import { isObject, type JsonObject, parseJson } from '@understudy/kit';
import { PERMISSION_UPDATES } from '../permissions/update-shape.js';
import {
  anything,
  flag,
  kindOf,
  list,
  object,
  oneOf,
  optional,
  record,
  type Shape,
  text,
  type Wrong,
} from '../shapes.js';

/** What the CLI makes of what a hook said. Neither field: it is plain text. */
export interface HookOutput {
  /** The JSON that counts. */
  json?: JsonObject;
  problem?: OutputProblem;
}

/** Why an output counts for nothing. */
export interface OutputProblem {
  /** How the CLI's message begins. */
  what: string;
  /** The CLI's message. */
  message: string;
  /** The hook has failed then, whatever its exit code. */
  isFailure: boolean;
}

/**
 * Reads what a hook said about an event. It is JSON if it begins with a brace; text before it or a line behind it makes
 * all of it plain text. JSON that is not as the CLI wants it counts for nothing.
 */
export function readOutput(event: string, stdout: string): HookOutput {
  const words = stdout.trim();
  if (!words.startsWith('{')) return {};
  if (announcesBackground(stdout)) return { json: {} };
  const json = parseJson(words);
  if (!isObject(json)) return words.endsWith('}') ? { problem: NOT_JSON } : {};
  const [wrong] = wrongFields(json);
  if (wrong !== undefined) return { problem: invalid(json, wrong) };
  const other = otherEvent(event, json);
  if (other === undefined) return { json };
  const what = `Failed to run: ${other}`;
  return { problem: { what, message: `${what}. Full stdout: ${indented(json)}`, isFailure: true } };
}

/** What the CLI makes of what a hook of the host answered. */
export function readHostAnswer(
  event: string,
  answer: unknown,
): { json: JsonObject } | { isInvalid: true } | { fault: string } {
  if (!isObject(answer) || wrongFields(answer).length > 0) return { isInvalid: true };
  const other = otherEvent(event, answer);
  return other === undefined ? { json: answer } : { fault: `${other}. Full stdout: ${indented(answer)}` };
}

/** A hook that goes on by itself says no more. */
function wrongFields(json: JsonObject): Wrong[] {
  return json['async'] === true ? [] : OUTPUT(json, '');
}

/** It speaks of another event. */
function otherEvent(event: string, { hookSpecificOutput: specific }: JsonObject): string | undefined {
  if (!isObject(specific) || specific['hookEventName'] === event) return undefined;
  return `Hook returned incorrect event name: expected '${event}' but got '${String(specific['hookEventName'])}'`;
}

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

const NOT_JSON: OutputProblem = {
  what: 'Hook output looks like a JSON object but is not valid JSON',
  message:
    'Hook output looks like a JSON object but is not valid JSON — JSON Parse error: Unable to parse JSON string. ' +
    'Emit the payload with a JSON encoder (jq, ConvertTo-Json, json.dumps) rather than string concatenation so ' +
    'backslashes and quotes inside strings are escaped.',
  isFailure: false,
};

function invalid(json: JsonObject, { path, message }: Wrong): OutputProblem {
  const named = path === '' ? message : `${path}: ${message.replace(/^Invalid input: /, '')}`;
  const what = `Hook JSON output validation failed — ${named}${hintFor(path, json)}`;
  return { what, message: `${what}\n\nThe hook's output was: ${indented(json)}`, isFailure: false };
}

function indented(json: JsonObject): string {
  return JSON.stringify(json, null, 2);
}

/** What the CLI says of mistakes that many make. */
function hintFor(path: string, { decision }: JsonObject): string {
  if (path === 'hookSpecificOutput.decision')
    return ' (PermissionRequest decision must be {"behavior": "allow"} or {"behavior": "deny", "message": "..."})';
  if (path !== 'decision' || !['allow', 'deny', 'ask'].includes(decision as string)) return '';
  const asked =
    decision === 'ask'
      ? ''
      : `, or hookSpecificOutput.decision: {"behavior": "${decision}"} in a PermissionRequest hook`;
  return ` (top-level decision is the legacy approve|block field; for "${decision}" use hookSpecificOutput.permissionDecision in a PreToolUse hook${asked})`;
}

const words = optional(text());
const contextField = { additionalContext: words };
const paths = { watchPaths: optional(list(text())) };
const answered = {
  action: optional(oneOf('accept', 'decline', 'cancel')),
  content: optional(record(anything)),
};

/** What a hook may say to one event alone. The order is that of the CLI's messages. */
const SPECIFIC_FIELDS: Record<string, Record<string, Shape>> = {
  PreToolUse: {
    permissionDecision: optional(oneOf('allow', 'deny', 'ask', 'defer')),
    permissionDecisionReason: words,
    updatedInput: optional(record(anything)),
    ...contextField,
  },
  UserPromptSubmit: { ...contextField, sessionTitle: words, suppressOriginalPrompt: optional(flag) },
  UserPromptExpansion: { ...contextField, suppressOriginalPrompt: optional(flag) },
  SessionStart: {
    ...contextField,
    initialUserMessage: words,
    sessionTitle: words,
    ...paths,
    reloadSkills: optional(flag),
  },
  Setup: contextField,
  PreModelSwitch: {
    permissionDecision: optional(oneOf('allow', 'deny', 'ask')),
    permissionDecisionReason: words,
  },
  PostModelSwitch: contextField,
  SubagentStart: contextField,
  SubagentStop: contextField,
  Stop: contextField,
  PostToolUse: contextField,
  PostToolUseFailure: contextField,
  PostToolBatch: contextField,
  PermissionDenied: { retry: optional(flag) },
  Notification: contextField,
  PermissionRequest: {
    decision: kindOf('behavior', {
      allow: object({ updatedInput: optional(record(anything)), updatedPermissions: optional(PERMISSION_UPDATES) }),
      deny: object({ message: words, interrupt: optional(flag) }),
    }),
  },
  Elicitation: answered,
  ElicitationResult: answered,
  CwdChanged: paths,
  FileChanged: paths,
  WorktreeCreate: { worktreePath: text() },
  MessageDisplay: { displayContent: words },
};

const SPECIFIC = kindOf(
  'hookEventName',
  Object.fromEntries(Object.entries(SPECIFIC_FIELDS).map(([event, fields]) => [event, object(fields)])),
);

const NO_EVENT_NAME: Wrong = {
  path: '',
  message: 'hookSpecificOutput is missing required field "hookEventName"',
  isOtherKind: true,
};

const FIELDS: Record<string, Shape> = {
  continue: optional(flag),
  suppressOutput: optional(flag),
  stopReason: words,
  decision: optional(oneOf('approve', 'block')),
  reason: words,
  systemMessage: words,
  terminalSequence: words,
  hookSpecificOutput: optional((value, path) =>
    isObject(value) && value['hookEventName'] === undefined ? [NO_EVENT_NAME] : SPECIFIC(value, path),
  ),
};
const OUTPUT = object(FIELDS);

/** The names that the CLI reads of what a hook said about an event, by where they stand. */
export function readNames(event: string): Record<'' | 'hookSpecificOutput', string[]> {
  return {
    '': Object.keys(FIELDS),
    hookSpecificOutput: ['hookEventName', ...Object.keys(SPECIFIC_FIELDS[event] ?? {})],
  };
}
