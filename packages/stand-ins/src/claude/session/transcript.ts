import { appendFileSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined, type JsonObject } from '@understudy/kit';
import type { PlayState } from '@understudy/script';
import { uuid } from '../output/ids.js';

/** The line that carries the scenario's turn state from one process to the next. */
export const STATE_LINE = 'understudy-state';

export type TranscriptLine = JsonObject & { type: string; uuid?: string };

/** Fields that are the same in every line of a conversation. */
export interface TranscriptContext {
  sessionId: string;
  cwd: string;
  version: string;
  gitBranch: string;
  entrypoint: string;
  /** The subagent that it is of. */
  agentId?: string;
  /** A host that keeps sessions itself gets each line, too. */
  mirror?: ((filePath: string, entries: JsonObject[]) => void) | undefined;
}

/**
 * The transcript of a session: JSON lines in the real layout. Lines are written in one piece at the
 * end of the file, so processes that share a session cannot tear each other's lines, and one that is
 * killed leaves at most a torn last line, which readers skip. They are written before anything that
 * takes time, such as a tool, a hook or a pause, and at the end of the turn.
 */
export class Transcript {
  readonly path: string;
  readonly context: TranscriptContext;
  /** The line that the next one follows. */
  leaf: string | null = null;
  readonly #persist: boolean;
  #ready = false;
  /** There is nothing but its title, with which no file begins. */
  #onlyTitled = true;
  #inherited: JsonObject[] = [];
  #held: readonly TranscriptLine[] = [];
  #unwritten = '';
  readonly #mirrored: JsonObject[] = [];

  constructor(path: string, context: TranscriptContext, persist: boolean) {
    this.path = path;
    this.context = context;
    this.#persist = persist;
  }

  /** Whether the conversation has begun. That of a fork begins with its first message. */
  get hasBegun(): boolean {
    return this.leaf !== null && this.#inherited.length === 0;
  }

  /** Where the transcript of a subagent is: in a folder that is named after the session. */
  subagentPath(agentId: string): string {
    return join(dirname(this.path), this.context.sessionId, 'subagents', `agent-${agentId}.jsonl`);
  }

  /** Adds messages, each a child of the one before. */
  addMessages(added: readonly TranscriptLine[]): void {
    if (added.length === 0) return;
    const lines = [...this.#held, ...added];
    this.#held = [];
    const { sessionId, cwd, version, gitBranch, entrypoint, agentId } = this.context;
    const full = lines.map((line) => {
      const id = line.uuid ?? uuid();
      const parentUuid = this.leaf;
      this.leaf = id;
      return {
        parentUuid,
        isSidechain: agentId !== undefined,
        ...defined({ agentId }),
        ...line,
        uuid: id,
        userType: 'external',
        entrypoint,
        cwd,
        sessionId,
        version,
        gitBranch,
      };
    });
    this.#write([...this.#inherited, ...full]);
    this.#inherited = [];
  }

  /** Keeps messages until there is another one. */
  hold(lines: readonly TranscriptLine[]): void {
    this.#held = [...this.#held, ...lines];
  }

  /** The messages that were kept; they are written elsewhere. */
  takeHeld(): readonly TranscriptLine[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** Adds lines about the session that are no messages. */
  addLines(...lines: readonly (JsonObject & { type: string })[]): void {
    this.#write(lines.map((line) => ({ ...line, sessionId: this.context.sessionId })));
  }

  addTitle(title: string): void {
    const { sessionId } = this.context;
    if (this.#persist)
      this.#unwritten += `${JSON.stringify({ type: 'custom-title', customTitle: title, sessionId })}\n`;
  }

  /** Saves the turn state of the scenario. */
  saveState(play: PlayState): void {
    this.addLines({ type: STATE_LINE, play });
  }

  /** Copies the lines of another session (a fork). They are written before the first message. */
  inherit(lines: readonly JsonObject[]): void {
    this.#inherited = lines.map((line) => ({ ...line, sessionId: this.context.sessionId }));
  }

  /** Writes what is not written yet. */
  flush(): void {
    if (this.#unwritten === '' || this.#onlyTitled) return;
    let text = this.#unwritten;
    this.#unwritten = '';
    if (!this.#ready) {
      this.#ready = true;
      mkdirSync(dirname(this.path), { recursive: true });
      if (endsTorn(this.path)) text = `\n${text}`;
    }
    appendFileSync(this.path, text, { mode: 0o600 });
    const entries = this.#mirrored.splice(0);
    if (entries.length > 0) this.context.mirror?.(this.path, entries);
  }

  #write(lines: readonly JsonObject[]): void {
    if (!this.#persist) return;
    this.#onlyTitled = false;
    for (const line of lines) this.#unwritten += `${JSON.stringify(line)}\n`;
    if (this.context.mirror !== undefined) this.#mirrored.push(...lines.filter(({ type }) => type !== STATE_LINE));
  }
}

/** Whether the last line of a file has no newline. */
function endsTorn(path: string): boolean {
  if (!existsSync(path)) return false;
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return false;
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, size - 1);
    return last[0] !== 0x0a;
  } finally {
    closeSync(descriptor);
  }
}
