import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Play, type PlayState } from '../../scenario/play.js';
import type { Prompt } from '../../scenario/prompt.js';
import type { Reply } from '../../scenario/reply.js';
import type { Script } from '../../scenario/script.js';

const STALE_LOCK_MS = 30_000;

/** The conversation of a session: its own, or the one that UNDERSTUDY_STATE makes all sessions share. */
export function playFor(script: Script, env: NodeJS.ProcessEnv, stored?: PlayState): Play {
  const file = env['UNDERSTUDY_STATE'];
  return file === undefined || file === '' ? script.play(stored) : new SharedPlay(script, file);
}

/**
 * A conversation that many processes have together, kept in a file. An orchestrator starts a fresh
 * session for every iteration, so a session's own state could not tell the second from the first;
 * with this, `when.turn`, `max_matches` and `turns` count over all of them.
 */
class SharedPlay extends Play {
  readonly #ours: Script;
  readonly #file: string;

  constructor(script: Script, file: string) {
    super(script);
    this.#ours = script;
    this.#file = file;
  }

  override get state(): PlayState {
    return this.#read() ?? super.state;
  }

  override get hasActiveSequence(): boolean {
    return this.state.active !== undefined;
  }

  /** One process at a time answers, from where the last one stopped. */
  override answer(said: Prompt): Reply {
    mkdirSync(dirname(this.#file), { recursive: true });
    const lock = `${this.#file}.lock`;
    acquireLock(lock);
    try {
      const play = this.#ours.play(this.#read());
      const reply = play.answer(said);
      this.#write(play.state);
      return reply;
    } finally {
      rmSync(lock, { force: true });
    }
  }

  #read(): PlayState | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as PlayState;
    } catch {
      return undefined;
    }
  }

  #write(state: PlayState): void {
    const fresh = `${this.#file}.${process.pid}.tmp`;
    writeFileSync(fresh, `${JSON.stringify(state)}\n`);
    renameSync(fresh, this.#file);
  }
}

function acquireLock(lock: string): void {
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx'));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > STALE_LOCK_MS) rmSync(lock, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}
