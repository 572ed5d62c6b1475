import { isObject, type JsonObject, parseJson } from '../../document/json.js';
import { SESSION_MODES } from '../modes.js';
import { anything, flag, list, object, oneOf, optional, record, type Shape, text, type Wrong } from '../shapes.js';

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
  // A hook that goes on by itself says no more.
  if (json['async'] === true) return { json };
  const [wrong] = OUTPUT(json, '');
  if (wrong !== undefined) return { problem: invalid(json, wrong) };
  const specific = json['hookSpecificOutput'];
  if (!isObject(specific) || specific['hookEventName'] === event) return { json };
  return { problem: ofOtherEvent(event, String(specific['hookEventName']), json) };
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

function ofOtherEvent(event: string, named: string, json: JsonObject): OutputProblem {
  const what = `Failed to run: Hook returned incorrect event name: expected '${event}' but got '${named}'`;
  return { what, message: `${what}. Full stdout: ${indented(json)}`, isFailure: true };
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
const said = { additionalContext: words };
const paths = { watchPaths: optional(list(text())) };
const answered = {
  action: optional(oneOf('accept', 'decline', 'cancel')),
  content: optional(record(anything)),
};

/** What the CLI says of a word that is none of these; of many it names the first six. */
function expected(words: readonly string[]): string {
  const named = words.slice(0, 6).map((word) => `"${word}"`);
  return `expected one of ${[...named, ...(words.length > 6 ? ['…'] : [])].join(' | ')}`;
}

/** An object of one of several kinds, which a field names. */
function kindOf(field: string, kinds: Record<string, Shape>, message = expected(Object.keys(kinds))): Shape {
  return (value, path) => {
    const [otherKind] = object({})(value, path);
    if (otherKind !== undefined) return [otherKind];
    const kind = (value as JsonObject)[field];
    const shape = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    return shape?.(value, path) ?? [{ path: `${path}.${field}`, message, isOtherKind: true }];
  };
}

const destination = oneOf('userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg');
const BEHAVIORS = ['allow', 'deny', 'ask'];
const rules = object({
  rules: list(object({ toolName: text(), ruleContent: words })),
  behavior: (value, path) =>
    BEHAVIORS.includes(value as string) ? [] : [{ path, message: expected(BEHAVIORS), isOtherKind: true }],
  destination,
});
const folders = object({ directories: list(text()), destination });
const mode = oneOf(...SESSION_MODES);
const UPDATES: Record<string, Shape> = {
  addRules: rules,
  replaceRules: rules,
  removeRules: rules,
  // `manual` is another name of `default`, which the message does not tell.
  setMode: object({ mode: (value, path) => (value === 'manual' ? [] : mode(value, path)), destination }),
  addDirectories: folders,
  removeDirectories: folders,
};
const kindsOfUpdates = Object.keys(UPDATES).map((name) => `'${name}'`);
const update = kindOf('type', UPDATES, `Invalid discriminator value. Expected ${kindsOfUpdates.join(' | ')}`);

/** What a hook may say to one event alone. The order is that of the CLI's messages. */
const SPECIFIC = kindOf('hookEventName', {
  PreToolUse: object({
    permissionDecision: optional(oneOf('allow', 'deny', 'ask', 'defer')),
    permissionDecisionReason: words,
    updatedInput: optional(record(anything)),
    ...said,
  }),
  UserPromptSubmit: object({ ...said, sessionTitle: words, suppressOriginalPrompt: optional(flag) }),
  UserPromptExpansion: object({ ...said, suppressOriginalPrompt: optional(flag) }),
  SessionStart: object({
    ...said,
    initialUserMessage: words,
    sessionTitle: words,
    ...paths,
    reloadSkills: optional(flag),
  }),
  Setup: object(said),
  PreModelSwitch: object({
    permissionDecision: optional(oneOf('allow', 'deny', 'ask')),
    permissionDecisionReason: words,
  }),
  PostModelSwitch: object(said),
  SubagentStart: object(said),
  SubagentStop: object(said),
  Stop: object(said),
  PostToolUse: object(said),
  PostToolUseFailure: object(said),
  PostToolBatch: object(said),
  PermissionDenied: object({ retry: optional(flag) }),
  Notification: object(said),
  PermissionRequest: object({
    decision: kindOf('behavior', {
      allow: object({ updatedInput: optional(record(anything)), updatedPermissions: optional(list(update)) }),
      deny: object({ message: words, interrupt: optional(flag) }),
    }),
  }),
  Elicitation: object(answered),
  ElicitationResult: object(answered),
  CwdChanged: object(paths),
  FileChanged: object(paths),
  WorktreeCreate: object({ worktreePath: text() }),
  MessageDisplay: object({ displayContent: words }),
});

const NO_EVENT_NAME: Wrong = {
  path: '',
  message: 'hookSpecificOutput is missing required field "hookEventName"',
  isOtherKind: true,
};

const OUTPUT = object({
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
});
