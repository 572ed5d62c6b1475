import { contentOf, inOrder, memoryByPath } from './line-order.js';
import type { Behavior, Json } from './observe.js';

/** Objects whose keys are the user's own, or names of models: their inside is not compared. */
const OPAQUE = /(^|\.)(input|tool_input|arguments|updatedInput|effective|settings|by_type|schema)$/;
const BY_NAME = /(^|\.)(modelUsage|model_usage_since_last_result)$/;

/** Lines of a transcript that both programs must write. */
const TRANSCRIPT_LINES = new Set(['user', 'assistant', 'system', 'custom-title']);

/** What tools give beside their words. */
const RESULT_FIELDS = [
  ...['returnCodeInterpretation', 'interrupted', 'stdout', 'stderr', 'structuredPatch'],
  ...['originalFile', 'oldString', 'newString', 'content', 'replaceAll', 'filenames', 'numFiles', 'file'],
  ...['totalMatches', 'truncated', 'mode', 'numLines', 'totalLines', 'appliedLimit', 'appliedOffset', 'numMatches'],
] as const;

/** Attachments that both must write; the others are about texts and tools that only the real CLI has. */
const ATTACHMENTS = /^hook_|^async_hook_response$|^nested_memory$/;

/** Values, not only shapes, that must be the same. */
export const VALUES: Record<string, string[]> = {
  result: [
    'subtype',
    'is_error',
    'num_turns',
    'stop_reason',
    'terminal_reason',
    'api_error_status',
    'api_error_type',
    'result',
    'total_cost_usd',
    'local_command',
    'structured_output',
    'result_index',
  ],
  'system/init': [
    'cwd',
    'model',
    'permissionMode',
    'tools',
    'slash_commands',
    'skills',
    'agents',
    'plugins',
    'mcp_servers',
    'claude_code_version',
    'apiKeySource',
    'plugin_errors',
    'output_style',
    'additional_directories',
  ],
  'system/permission_denied': ['tool_name', 'decision_reason_type', 'decision_reason', 'message'],
  'system/hook_started': ['hook_name', 'hook_event'],
  'system/hook_progress': ['hook_name', 'stdout', 'stderr', 'output'],
  'system/hook_response': ['hook_name', 'stdout', 'stderr', 'exit_code', 'outcome'],
  assistant: ['message.model'],
  user: [
    'tool_use_result.resolvedModel',
    ...RESULT_FIELDS.flatMap((field) => [`tool_use_result.${field}`, `toolUseResult.${field}`]),
  ],
  control_request: [
    ...['request.permission_suggestions', 'request.description', 'request.blocked_path'],
    ...['request.decision_reason', 'request.decision_reason_type', 'request.decision_reason_rule_source'],
  ],
  attachment: ['attachment', 'rendered', 'renderedRole'],
  payload: [
    ...['cwd', 'permission_mode', 'prompt', 'tool_input', 'agent_type', 'background_tasks'],
    ...['stop_hook_active', 'last_assistant_message', 'error', 'source', 'reason', 'effort', 'trigger', 'delta'],
    ...['custom_instructions', 'compact_summary', 'old_cwd', 'new_cwd'],
    ...['task_id', 'task_subject', 'task_description', 'permission_suggestions', 'sent'],
    ...RESULT_FIELDS.map((field) => `tool_response.${field}`),
  ],
  'system/api_retry': ['attempt', 'max_retries', 'error_status', 'error'],
  'system/model_fallback': ['trigger', 'original_model', 'fallback_model', 'content'],
};

/** All differences: in behavior, in the transcripts, and in what the model is told. */
export function differencesIn(real: Behavior, standIn: Behavior): string[] {
  return [
    ...findDifferences(real, standIn),
    ...findTranscriptDifferences(real, standIn),
    ...compareLists('payload', payloadsOf(real), payloadsOf(standIn), payloadKey),
    ...lackingIn(standIn.told, real.told).map((text) => `not told: ${JSON.stringify(text)}`),
    ...lackingIn(real.told, standIn.told).map((text) => `told: ${JSON.stringify(text)}`),
  ];
}

/** What hooks were given, as a kind of their own. */
function payloadsOf({ payloads = [] }: Behavior): Json[] {
  return payloads.map((payload) => ({ ...payload, type: 'payload' }));
}

function payloadKey({ hook_event_name: event, tool_name: tool }: Json): string {
  return tool === undefined ? String(event) : `${String(event)}(${String(tool)})`;
}

function lackingIn(list: readonly string[], texts: readonly string[]): string[] {
  const there = new Set(list.map(comparable));
  return texts.filter((text) => !there.has(comparable(text)));
}

/** How the stand-in's behavior differs from the real CLI's, each as one line. */
function findDifferences(real: Behavior, standIn: Behavior): string[] {
  return [
    ...(real.exitCode === standIn.exitCode ? [] : [`exit code: ${real.exitCode} became ${standIn.exitCode}`]),
    ...(real.events.length > 0 ? [] : compareText('stdout', real.stdout, standIn.stdout)),
    ...compareText('stderr', real.stderr, standIn.stderr),
    ...compareLists('event', owedEvents(real.events), owedEvents(standIn.events), keyOf),
  ];
}

/** Without what the real CLI says to a host of hooks that gave no verdict: that they did not object is seen. */
function owedEvents(events: readonly Json[]): Json[] {
  return comparableEvents(events).filter(({ tag }) => tag !== 'hook_no_verdict');
}

/** How the transcripts differ, in the lines that both must write. */
function findTranscriptDifferences(real: Behavior, standIn: Behavior): string[] {
  if (real.transcripts.length !== standIn.transcripts.length) {
    return [`transcripts: ${real.transcripts.length} became ${standIn.transcripts.length}`];
  }
  return real.transcripts.flatMap((lines, index) =>
    compareLists(
      'transcript',
      inOrder(owedLines(lines).map(readFields)),
      inOrder(owedLines(standIn.transcripts[index] ?? []).map(readFields)),
      keyOf,
    ),
  );
}

/** Fields of a line that tools read; the others are the real CLI's own bookkeeping. */
const LINE_FIELDS = new Set([
  ...['type', 'subtype', 'uuid', 'parentUuid', 'isSidechain', 'agentId', 'sessionId', 'cwd', 'version', 'gitBranch'],
  ...['timestamp', 'userType', 'entrypoint', 'promptId', 'permissionMode', 'message', 'requestId', 'isMeta', 'content'],
  ...[
    'toolUseResult',
    'isApiErrorMessage',
    'error',
    'isCompactSummary',
    'level',
    'customTitle',
    'attachment',
    'rendered',
  ],
  ...['renderedRole', 'logicalParentUuid'],
]);

function readFields(line: Json): Json {
  return Object.fromEntries(Object.entries(line).filter(([field]) => LINE_FIELDS.has(field)));
}

/** Bookkeeping of the real CLI, which a stand-in does not owe. */
const OWN_LINES = new Set(['stop_hook_summary', 'api_error', 'model_fallback']);

/** The lines that a stand-in must write, too: of hooks, what somebody reads of their words. */
function owedLines(lines: readonly Json[]): Json[] {
  const owed = sharedLines(lines).filter(({ subtype }) => !OWN_LINES.has(String(subtype)));
  const read = owed.flatMap((line) => {
    if (line['attachment'] === undefined) return [line];
    const { type, hookName } = line['attachment'] as Json;
    const isRead = line['rendered'] !== undefined || type === 'hook_system_message';
    return isRead ? [{ ...line, attachment: { type, hookName } }] : [];
  });
  // Before the first of them there may have been others.
  return read.map((line, index) => (index === 0 ? { ...line, parentUuid: null } : line));
}

/** The lines of a transcript that are compared. */
export function sharedLines(lines: readonly Json[]): Json[] {
  const shared = lines.filter(({ type, attachment }) =>
    type === 'attachment' ? ATTACHMENTS.test(String((attachment as Json)['type'])) : TRANSCRIPT_LINES.has(String(type)),
  );
  return withoutRepetition(memoryByPath(shared));
}

export function comparableEvents(events: readonly Json[]): Json[] {
  // Whether a screen is drawn anew depends on the clock where hooks are off and a plugin has commands.
  const compared = events.filter(({ subtype }) => subtype !== 'ui_invalidate');
  return inOrder(wholeMessages(promptsFirst(thinkingOnce(compared)))).map((event) => {
    if (event['subtype'] !== 'error_max_budget_usd') return event;
    // Whether the end of the message that is too expensive has come in depends on the clock.
    const { stop_reason: _, ...rest } = event;
    return rest;
  });
}

/** A tool may be judged and run before the last events of the message that asks for it: they are put first. */
function wholeMessages(events: readonly Json[]): Json[] {
  const ordered: Json[] = [];
  let early: Json[] = [];
  let streaming = false;
  for (const event of events) {
    const kind = (event['event'] as Json | undefined)?.['type'];
    if (kind === 'message_start') streaming = true;
    const isEarly = streaming && (event['type'] === 'user' || TOOL_EVENTS.has(String(event['subtype'])));
    if (isEarly) early.push(event);
    else ordered.push(event);
    if (kind !== 'message_stop') continue;
    ordered.push(...early);
    early = [];
    streaming = false;
  }
  return [...ordered, ...early];
}

const TOOL_EVENTS = new Set(['permission_denied', 'hook_started', 'hook_response', 'informational', 'task_started']);

/** How often the CLI estimates the thinking of a message depends on the clock. */
function thinkingOnce(events: readonly Json[]): Json[] {
  const isEstimate = ({ subtype }: Json): boolean => subtype === 'thinking_tokens';
  const first = events.findIndex(isEstimate);
  return events.filter((event, index) => !isEstimate(event) || index === first);
}

/** A prompt comes back while the model is asked already: what the CLI says meanwhile is put behind it. */
function promptsFirst(events: readonly Json[]): Json[] {
  const ordered: Json[] = [];
  for (const event of events) {
    const before = ordered.findLastIndex(({ subtype }) => !MEANWHILE.has(String(subtype)));
    if (event['isReplay'] === true) ordered.splice(before + 1, 0, event);
    else ordered.push(event);
  }
  return ordered;
}

const MEANWHILE = new Set(['thinking_tokens', 'api_retry']);

/** Bookkeeping lines are written again and again; once is enough to compare. */
function withoutRepetition(lines: readonly Json[]): Json[] {
  const bookkeeping = new Set(['last-prompt', 'cost-state', 'custom-title']);
  const last = new Map(lines.map((line, index) => [line['type'], index]));
  const kept = lines.filter(
    (line, index) => !bookkeeping.has(String(line['type'])) || last.get(line['type']) === index,
  );
  return [
    ...kept.filter(({ type }) => !bookkeeping.has(String(type))),
    ...kept
      .filter(({ type }) => bookkeeping.has(String(type)))
      .sort((a, b) => (String(a['type']) < String(b['type']) ? -1 : 1)),
  ];
}

function compareText(name: string, real: string, standIn: string): string[] {
  return comparable(real.trim()) === comparable(standIn.trim())
    ? []
    : [`${name}: ${JSON.stringify(real.trim())} became ${JSON.stringify(standIn.trim())}`];
}

function compareLists(
  what: string,
  real: readonly Json[],
  standIn: readonly Json[],
  key: (event: Json) => string,
): string[] {
  const realKeys = real.map(key);
  const ownKeys = standIn.map(key);
  if (realKeys.join('\n') !== ownKeys.join('\n'))
    return [`${what}s: ${realKeys.join(', ')} became ${ownKeys.join(', ')}`];
  const found = real.flatMap((event, index) => compareEvent(`${what} ${key(event)}`, event, standIn[index] ?? {}));
  return [...new Set(found)];
}

function compareEvent(name: string, real: Json, standIn: Json): string[] {
  const realFields = fieldsOf(real);
  const ownFields = fieldsOf(standIn);
  return [
    ...[...realFields].filter((field) => !ownFields.has(field)).map((field) => `${name}: lacks ${field}`),
    ...[...ownFields].filter((field) => !realFields.has(field)).map((field) => `${name}: adds ${field}`),
    ...compareValues(name, real, standIn),
  ];
}

function compareValues(name: string, real: Json, standIn: Json): string[] {
  const paths = VALUES[kindOf(real)] ?? [];
  const values = paths.flatMap((path) => {
    const [one, other] = [valueAt(real, path), valueAt(standIn, path)];
    const same = comparable(one) === comparable(other);
    return same ? [] : [`${name}: ${path} ${JSON.stringify(one)} became ${JSON.stringify(other)}`];
  });
  const realResult = toolResult(real);
  const ownResult = toolResult(standIn);
  return realResult === ownResult ? values : [...values, `${name}: content ${realResult} became ${ownResult}`];
}

/** The value behind `message.model`, if there is one. */
function valueAt(event: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Json | undefined)?.[key], event);
}

/** Sums of dollars differ in the last digit; seconds on a clock, ids, estimates of tokens and the cache are not compared. */
export function comparable(value: unknown): string {
  if (typeof value === 'number') return value.toFixed(9);
  return (JSON.stringify(sorted(value)) ?? '')
    .replace(/(duration \(\w+\):\s+)\d+s/g, '$1')
    .replace(/\\nPrompt cache \(main\):[^"\\<]*/g, '')
    .replace(/\breq_\w+/g, 'req')
    .replace(/"(duration|timeout)Ms":\d+/g, '"$1Ms":1')
    .replace(/"toolUseID":"[^"]*"/g, '"toolUseID":""')
    .replace(/only ~\d+ tokens/g, 'only ~1 tokens')
    .replace(/<subagent_tokens>\d+/g, '<subagent_tokens>1');
}

/** The same value with the keys of its objects in the order of the alphabet. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}

/** What a tool gave back. */
export function toolResult({ type, message }: Json): string | undefined {
  if (type !== 'user') return undefined;
  const [block] = contentOf(message);
  if (block?.['type'] !== 'tool_result') return undefined;
  return JSON.stringify({ content: block['content'], is_error: block['is_error'] }).replace(/\breq_\w+/g, 'req');
}

/** Every field of an event, with the type of what is in it. */
export function fieldsOf(value: unknown, path = ''): Set<string> {
  const fields = new Set<string>();
  const walk = (item: unknown, at: string): void => {
    if (Array.isArray(item)) {
      fields.add(`${at}: array`);
      for (const part of item) if (typeof part === 'object' && part !== null) walk(part, `${at}[]`);
    } else if (typeof item === 'object' && item !== null) {
      if (at !== '') fields.add(`${at}: object`);
      if (OPAQUE.test(at)) return;
      for (const [key, part] of Object.entries(item))
        walk(part, `${at}${at === '' ? '' : '.'}${BY_NAME.test(at) ? '*' : key}`);
    } else {
      fields.add(`${at}: ${item === null ? 'null' : typeof item}`);
    }
  };
  walk(value, path);
  return fields;
}

export function kindOf({ type, subtype }: Json): string {
  return type === 'system' ? `system/${String(subtype)}` : String(type);
}

/** What kind of line it is: `assistant[tool_use]`, `system/init`, `stream_event/content_block_delta`. */
export function keyOf(event: Json): string {
  const { type, message, event: inner, response, request, operation, attachment } = event;
  if (attachment !== undefined) {
    const { type: kind, hookName = '' } = attachment as Json;
    return `${String(kind)} ${String(hookName)}`.trim();
  }
  if (type === 'assistant' || type === 'user') {
    const kinds = contentOf(message).map((block) => block['type']);
    const notes = ['isReplay', 'isSynthetic', 'isMeta', 'error'].filter(
      (note) => event[note] !== undefined && event[note] !== false,
    );
    return `${type}[${[...kinds, ...notes].join(' ')}]`;
  }
  if (type === 'stream_event') return `stream_event/${String((inner as Json)['type'])}`;
  if (type === 'control_response')
    return `control_response/${String((response as Json)['request_id'])}/${String((response as Json)['subtype'])}`;
  if (type === 'control_request') return `control_request/${String((request as Json)['subtype'])}`;
  return operation === undefined ? kindOf(event) : `${String(type)}/${String(operation)}`;
}
