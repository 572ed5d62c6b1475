import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, readIfThere } from '@understudy/kit';
import type { LoopEvent } from './events.js';

const POINTER = '.ralph/current-events';

/** The events file of a run: one JSON object per line, written by the loop and by `emit`. */
export class EventLog {
  readonly file: string;
  #read = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** Starts a new file, and makes it the current one of the workspace. */
  static start(root: string, now: Date = new Date()): EventLog {
    makeFolder(join(root, '.ralph'));
    const base = `.ralph/events-${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
    let name = `${base}.jsonl`;
    for (let n = 2; existsSync(join(root, name)); n++) name = `${base}-${n}.jsonl`;
    writeFileSync(join(root, name), '');
    writeFileSync(join(root, POINTER), `${name}\n`);
    return new EventLog(join(root, name));
  }

  /** The file that `emit` writes to: the one that the loop named to its agent, else the current one. */
  static current(root: string, told: string | undefined): EventLog {
    if (told !== undefined && told !== '') return new EventLog(told);
    const pointer = join(root, POINTER);
    const name = readIfThere(pointer)?.trim() ?? '.ralph/events.jsonl';
    makeFolder(join(root, '.ralph'));
    return new EventLog(join(root, name));
  }

  append(event: LoopEvent): void {
    appendFileSync(this.file, `${JSON.stringify(event)}\n`);
  }

  /** Writes events that the loop already knows. They are not read back. */
  record(events: readonly LoopEvent[]): void {
    for (const event of events) this.append(event);
    this.#takeLines();
  }

  /** What others have written since the last call. Lines that are not events are skipped. */
  takeNew(): LoopEvent[] {
    return this.#takeLines().flatMap((line) => toEvent(line) ?? []);
  }

  #takeLines(): string[] {
    const text = readIfThere(this.file) ?? '';
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const fresh = lines.slice(this.#read);
    this.#read = lines.length;
    return fresh;
  }
}

function toEvent(line: string): LoopEvent | undefined {
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    if (typeof value !== 'object' || value === null || typeof value['topic'] !== 'string') return undefined;
    const payload = value['payload'] ?? '';
    const text = (name: 'target' | 'source') => (typeof value[name] === 'string' ? { [name]: value[name] } : {});
    return {
      topic: value['topic'],
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      ...text('target'),
      ...text('source'),
      ts: typeof value['ts'] === 'string' ? value['ts'] : '',
    };
  } catch {
    return undefined;
  }
}
