import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ConversationEvent, type EventBody, eventSchema } from '@understudy/agents';
import { inWords, makeFolder, redactAll, redactor, UnderstudyError } from '@understudy/kit';
import type { FirstFiles } from './project-watch.js';

export interface EventLogOptions {
  file?: string;
  /** The agent has real keys: they are taken out before anybody sees an event. */
  live?: boolean;
  now?: () => Date;
}

/** Where an event of a `run` step belongs, and when it happened if that is not now. */
export interface StepPlace {
  step: number;
  call?: number;
  at?: number;
}

/** The events of a conversation, in order; written to a file as JSON lines while they happen. */
export class EventLog {
  readonly #events: ConversationEvent[] = [];
  #count = 0;
  readonly #now: () => Date;
  readonly #redact = redactor(process.env);
  readonly #isLive: boolean;
  readonly #folder: string | undefined;
  #file: number | undefined;
  #bytes = 0;
  #turn = 0;
  #isOpen = false;
  #isEnding = false;

  constructor({ file, live = false, now = () => new Date() }: EventLogOptions = {}) {
    this.#now = now;
    this.#isLive = live;
    this.#folder = file === undefined ? undefined : dirname(file);
    if (file !== undefined) {
      makeFolder(dirname(file));
      this.#file = openSync(file, 'w', 0o600);
    }
  }

  get events(): readonly ConversationEvent[] {
    return this.#events;
  }

  /** The turn under way, or the last one. */
  get turn(): number {
    return this.#turn;
  }

  /** Numbers an event and stores it. A line is written as a whole, so a kill cannot cut it. */
  append(observed: EventBody): ConversationEvent {
    const body = this.clean(observed);
    if (body.type === 'prompt') {
      this.#turn++;
      this.#isOpen = true;
    }
    const event: ConversationEvent = {
      seq: this.#count++,
      at: this.#now().toISOString(),
      turn: this.#turnOf(body),
      ...body,
    };
    if (body.type === 'turn_ended') this.#isOpen = false;
    this.#events.push(event);
    this.#write(event);
    return event;
  }

  /** Keeps the project as it was before the first turn beside the events, so that a report can show any moment. */
  keepProject(files: FirstFiles): void {
    if (this.#folder === undefined) return;
    writeFileSync(join(this.#folder, 'project.json'), JSON.stringify(this.clean(files)), { mode: 0o600 });
  }

  /** What anybody may see of something that the agent reported: on live, where it has real keys, all but those. */
  clean<T>(observed: T): T {
    return this.#isLive ? redactAll(observed, this.#redact) : observed;
  }

  /** The size of what was added since the last call. */
  takeBytes(): number {
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes;
  }

  /** Stores what a `run` step or one of its calls did. It is in the file, and not among the events of the conversation. */
  appendOfStep(observed: EventBody, { at, ...place }: StepPlace): ConversationEvent {
    const body = this.#isLive ? redactAll(observed, this.#redact) : observed;
    const when = (at === undefined ? this.#now() : new Date(at)).toISOString();
    const turn = place.call === undefined ? 0 : 1;
    const event: ConversationEvent = { seq: this.#count++, at: when, turn, ...place, ...body };
    this.#write(event);
    return event;
  }

  /** What comes from now on belongs to the end of the conversation; a turn under way ends first. */
  beginEnd(): void {
    this.#isEnding = true;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(event: ConversationEvent): void {
    const clean = this.#isLive || this.#file === undefined ? event : redactAll(event, this.#redact);
    const line = `${JSON.stringify(clean)}\n`;
    this.#bytes += line.length;
    if (this.#file !== undefined) writeSync(this.#file, line);
  }

  #turnOf(body: EventBody): number {
    if (isOfStart(body)) return 0;
    return this.#isEnding && !this.#isOpen ? this.#turn + 1 : this.#turn;
  }
}

/** Older CLIs report the hooks of the start with the first prompt; those of `/clear` belong to their turn. */
function isOfStart(body: EventBody): boolean {
  if (body.type !== 'hook_started' && body.type !== 'hook_finished') return false;
  return body.name === 'SessionStart:startup' || body.name === 'SessionStart:resume';
}

/** Reads a stored log. A last line that was cut off by a crash is left out; any other damage is an error. */
export function readEventLog(file: string): ConversationEvent[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const last = lines.length - 1;
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    try {
      const parsed = eventSchema.safeParse(JSON.parse(line), inWords);
      if (parsed.success) return [parsed.data];
      throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
    } catch (cause) {
      if (index === last) return [];
      throw new UnderstudyError(
        'LOG_DAMAGED',
        `line ${index + 1} of ${file} is not an event: ${(cause as Error).message}`,
        {
          location: { file, line: index + 1 },
          cause,
        },
      );
    }
  });
}
