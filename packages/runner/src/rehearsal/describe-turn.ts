import type { ConversationEvent, EventOf } from '@understudy/agents';
import { TEMP_FOLDER } from '@understudy/kit';
import { isSameTool } from '@understudy/script';
import type { Turn } from '@understudy/stage';

/** Folders that change from run to run. */
export interface KnownFolders {
  cwd: string;
  home: string;
}

/** What happened in a turn, a line for each thing: said, done, changed. */
export function describeTurn({ prompt, events, outcome, reason, workflowStage }: Turn): string {
  const ended = reason === undefined ? outcome : `${outcome} (${reason})`;
  const lines: string[] = [];
  let together: ConversationEvent[] = [];
  for (const event of events) {
    if (isAction(event)) {
      together.push(event);
      continue;
    }
    const told = describeOther(event);
    if (told === undefined) continue;
    lines.push(...describeActions(together), told);
    together = [];
  }
  lines.push(...describeActions(together));
  return [`> ${prompt}`, ...lines, `= ${ended}${workflowStage === undefined ? '' : ` in ${workflowStage}`}`].join('\n');
}

/** The same of a turn in which nothing was said and done. */
export function bareTurn({ prompt }: Turn): string {
  return `> ${prompt}\n= completed`;
}

/** Tools and hooks run side by side, and files are found in any order: their events come in another order each time. */
function isAction({ type }: ConversationEvent): boolean {
  return (
    type === 'tool_call' ||
    type === 'tool_result' ||
    type === 'permission' ||
    type === 'hook_finished' ||
    type === 'file_changed'
  );
}

/** What was done between two texts, in an order of its own: each call with its result, then the rest by name. */
function describeActions(events: readonly ConversationEvent[]): string[] {
  const results = new Map(events.flatMap((event) => (event.type === 'tool_result' ? [[event.id, event]] : [])));
  const calls: string[] = [];
  const others: string[] = [];
  for (const event of events) {
    if (event.type === 'tool_call') {
      calls.push(`• ${event.tool} ${JSON.stringify(event.input)}`);
      const result = results.get(event.id);
      if (result !== undefined) calls.push(describeResult(result));
      results.delete(event.id);
    }
    if (event.type === 'permission') others.push(`permission ${event.tool}: ${event.decision}`);
    if (event.type === 'hook_finished') others.push(`hook ${event.name}${event.blocked ? ' blocked' : ''}`);
    if (event.type === 'file_changed') others.push(`file ${event.path} ${event.change}`);
  }
  return [...calls, ...[...results.values()].map(describeResult), ...others.sort(byKindThenName)];
}

const KINDS = ['permission', 'hook', 'file'];

function byKindThenName(a: string, b: string): number {
  const kind = (line: string) => KINDS.indexOf(line.slice(0, line.indexOf(' ')));
  return kind(a) - kind(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** A search lists what it found in any order. */
function describeResult({ tool, status, text }: EventOf<'tool_result'>): string {
  const isSearch = isSameTool('glob', tool) || isSameTool('grep', tool);
  return `  → ${status}: ${isSearch ? text.split('\n').sort().join('\n') : text}`;
}

function describeOther(event: ConversationEvent): string | undefined {
  if (event.type === 'text') return event.text;
  return event.type === 'commit' ? `commit ${event.message}` : undefined;
}

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const UNITS = '(?:ms|msecs?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)';
/** `12 ms`, `1.5s`, `2m 30s`, `0.3 seconds`; of minutes and hours only the longer words stand alone. */
const DURATION = new RegExp(
  String.raw`\b${NUMBER} ?(?:h|m) ?${NUMBER} ?(?:m|s)\b|\b${NUMBER} ?(?!(?:m|h)\b)${UNITS}\b`,
  'g',
);
/** `"duration_ms": 1814`, `elapsed_seconds=3`. */
const TIMED_FIELD = new RegExp(String.raw`\b(\w*(?:duration|elapsed|latency|wall_time)\w*"?\s*[:=]\s*)${NUMBER}`, 'gi');
const PROCESS = /\b(PG?ID|pid)(\s*[:=]\s*)\d+/g;

/** The same text without what changes from run to run: folders, ids, times. */
export function normalize(text: string, { cwd, home }: KnownFolders): string {
  return text
    .replaceAll(cwd, '<project>')
    .replaceAll(home, '<home>')
    .replace(TEMP_FOLDER, '<tmp>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\b(?:toolu|call|msg)_\w+/g, '<id>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>')
    .replace(/\b[0-9a-f]{7,40}\b/g, (match) => (/\d/.test(match) && /[a-f]/.test(match) ? '<hash>' : match))
    .replace(PROCESS, '$1$2<pid>')
    .replace(TIMED_FIELD, '$1<duration>')
    .replace(DURATION, '<duration>');
}
