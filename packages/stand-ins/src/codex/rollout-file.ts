import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The file of a session: one JSON line for everything that happens in it. */
export class RolloutFile {
  readonly #file: string;

  constructor(home: string, session: string) {
    this.#file = fileOf(join(home, 'sessions'), session);
  }

  message(role: string, type: string, text: string): void {
    this.response('message', { role, content: [{ type, text }] });
  }

  item(ids: { thread: string; turn: string }, item: Record<string, unknown>): void {
    this.event('item_completed', { thread_id: ids.thread, turn_id: ids.turn, item });
  }

  started(turn: string): void {
    this.event('task_started', { turn_id: turn, started_at: seconds(), collaboration_mode_kind: 'default' });
  }

  completed(turn: string, lastMessage: string | null): void {
    this.event('task_complete', { turn_id: turn, last_agent_message: lastMessage, completed_at: seconds() });
  }

  event(type: string, payload: Record<string, unknown>): void {
    this.write('event_msg', { type, ...payload });
  }

  response(type: string, payload: Record<string, unknown>): void {
    this.write('response_item', { type, ...payload });
  }

  write(type: string, payload: Record<string, unknown>): void {
    appendFileSync(this.#file, `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`);
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The file of a session: the one that it has, or a new one in the folder of the day. */
function fileOf(folder: string, session: string): string {
  mkdirSync(folder, { recursive: true });
  const known = (readdirSync(folder, { recursive: true }) as string[]).find((name) =>
    name.endsWith(`${session}.jsonl`),
  );
  if (known !== undefined) return join(folder, known);
  const [day = '', time = ''] = new Date().toISOString().split('T');
  const today = join(folder, ...day.split('-'));
  mkdirSync(today, { recursive: true });
  return join(today, `rollout-${day}T${time.slice(0, 8).replaceAll(':', '-')}-${session}.jsonl`);
}
