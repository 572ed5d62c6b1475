import { stripVTControlCharacters } from 'node:util';
import { objectOf, stringOf } from '../../server/wire/json.js';
import type { Imported, ImportedTurn } from './formats.js';

/** A session of Ralph: what the agent wrote to the terminal, and the events between its iterations. */
export function readRalph(lines: readonly Record<string, unknown>[]): Imported | undefined {
  if (!lines.some(({ event }) => typeof event === 'string' && /^(?:ux\.|bus\.|_meta\.)/.test(event))) return undefined;
  const turns: ImportedTurn[] = [];
  let prompt = 'the objective';
  let written = '';
  const close = () => {
    const text = stripVTControlCharacters(written).replaceAll('\r', '').trim();
    written = '';
    if (text === '') return;
    turns.push({ conversation: `c${turns.length + 1}`, prompt, steps: [{ text, tools: [] }] });
  };
  for (const line of lines) {
    const outer = objectOf(line['data']);
    // Some versions have the event twice, one in the other.
    const data = outer['event'] === line['event'] ? objectOf(outer['data']) : outer;
    if (line['event'] === 'ux.terminal.write') {
      if (data['stdout'] !== false) written += textOf(data['bytes']);
    } else if (line['event'] === 'bus.publish') {
      close();
      const topic = stringOf(data['topic']) ?? stringOf(data['command']);
      prompt = [topic, stringOf(data['payload'])].filter((part) => part).join(': ') || prompt;
    } else if (line['event'] === '_meta.loop_start') {
      prompt = stringOf(data['prompt']) ?? stringOf(data['prompt_file']) ?? prompt;
    }
  }
  close();
  const first = Number(lines[0]?.['ts']);
  return { format: 'ralph', turns, ...(first > 0 ? { recordedAt: new Date(first).toISOString() } : {}) };
}

/** As Base64, or as a list of numbers, which older versions wrote. */
function textOf(bytes: unknown): string {
  if (typeof bytes === 'string') return Buffer.from(bytes, 'base64').toString('utf8');
  return Array.isArray(bytes) ? Buffer.from(bytes as number[]).toString('utf8') : '';
}
