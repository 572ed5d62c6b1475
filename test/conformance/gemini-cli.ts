import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../../packages/stand-ins/src/gemini/main.js';
import type { ScriptedCli } from './scripted-case.js';

type Json = Record<string, unknown>;

/** Lines of stderr that say how the surroundings are, or where in its code Gemini CLI was, and those that come only if a run takes long enough. */
const SURROUNDINGS =
  /256-color|Conflicts detected for command|command '\S+' was renamed to|Ripgrep is not available|^\[STARTUP\]|^\s+at |MaxListenersExceeded|trace-warnings|home directory|can be disabled|^\s*$|^ {2}(?:status|code|cause|retryDelayMs|\[cause\])|^ {4}(?:code|message|details|errno|syscall)|^ {8}errno|^ {2}}|^}$/;

/** How runs of Gemini CLI are compared. */
export const GEMINI: ScriptedCli = {
  agent: 'gemini',
  namesByMinute: true,
  standIn: gemini,
  sessionId: (stdout) => /"session_id": ?"([\w-]+)"/.exec(stdout)?.[1],
  stdout(text) {
    if (text.startsWith('{\n')) return normalized(JSON.parse(text));
    if (!text.startsWith('{')) return text;
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => normalized(JSON.parse(line)));
  },
  stderr: (text) =>
    withoutIds(text)
      .split('\n')
      .filter((line) => !SURROUNDINGS.test(line))
      // The error's dump begins behind its message.
      .map((line) => line.replace(/ \{$/, ''))
      // Its help page is its own.
      .filter((_line, index, lines) => !lines.slice(0, index + 1).some((before) => before.startsWith('Usage: gemini'))),
  session(home) {
    const folder = join(home, '.gemini/tmp');
    const chats = chatFiles(folder).map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Json);
      return {
        name: name.replace(/[0-9a-f]{8}(?=\.jsonl)/, '<id>').replace(/\d+/g, '0'),
        records: records.flatMap(recordOf),
      };
    });
    // Their names are random.
    return chats.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  },
};

function chatFiles(folder: string): string[] {
  try {
    return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.jsonl')).sort();
  } catch {
    return [];
  }
}

function withoutIds(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/__call_\w+/g, '__call')
    .replace(/PGID: \d+/g, 'PGID: 0')
    .replace(/total duration: \d+ms/g, 'total duration: 0ms')
    .replaceAll('.gemini/tmp/', '.gemini/TMP/')
    .replace(/https:\/\/\S+/g, '<address>')
    .replace(/ Full report available at: \S+/g, '');
}

/** Times, which are never the same. */
const TIMES = /^(?:timestamp|duration_ms|durationMs|totalLatencyMs|totalDurationMs)$/;

function normalized(value: unknown, key = ''): unknown {
  if (TIMES.test(key)) return '<time>';
  if (typeof value === 'string') return withoutIds(value);
  if (Array.isArray(value)) return value.map((item) => normalized(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, normalized(part, name)]));
}

/** What another program reads in a session: who said what, which tools ran, what it cost. */
function recordOf(record: Json): unknown[] {
  const { type, kind, content, tokens, model, toolCalls } = record;
  if (kind !== undefined) return [{ kind, fields: Object.keys(record) }];
  if (type === undefined) return [];
  const calls = (toolCalls as Json[] | undefined)?.map(({ name, args, status, result }) => ({
    name,
    args,
    status,
    result,
  }));
  return [normalized({ type, content, ...(type === 'gemini' ? { tokens, model, calls } : {}) })];
}
