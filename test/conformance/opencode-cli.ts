import { opencode } from '../../packages/stand-ins/src/opencode/main.js';
import type { ScriptedCli } from './scripted-case.js';

/** How runs of OpenCode are compared. */
export const OPENCODE: ScriptedCli = {
  agent: 'opencode',
  standIn: opencode,
  sessionId: (stdout) => /"sessionID":"(ses_\w+)"/.exec(stdout)?.[1],
  stdout(text) {
    if (!text.startsWith('{')) return text;
    return lines(text).map((line) => normalized(JSON.parse(line)));
  },
  stderr: (text) => lines(text.replace(/\berr_\w+/g, '<err>').replace(/\bses_\w{20,}/g, '<ses>')),
  // Its sessions are in a database.
  session: () => [],
};

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** What the real one adds to the data of an error: what came over the wire. */
const WIRE = new Set(['responseHeaders', 'responseBody', 'metadata']);

/** A value with ids and times by their kind, so that two runs can be compared. */
function normalized(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => normalized(item));
  if (typeof value === 'number' && value > 1e12) return '<time>';
  if (typeof value === 'string') return value.replace(/^(ses|msg|prt|call|err)_\w+$/, '<$1>');
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => field !== 'data' || !WIRE.has(key));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, normalized(part, key)]));
}
