import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CALL_VARIABLE } from '@understudy/agents';
import { withLockSync } from '@understudy/kit';
import { Play, type PlayState, type Prompt, type Reply, type Script } from '@understudy/script';

/** The number of the call that this process is, where calls are recorded. */
export function callNumber(env: NodeJS.ProcessEnv): number | undefined {
  const number = Number(env[CALL_VARIABLE] ?? '');
  return number > 0 ? number : undefined;
}

const STALE_LOCK_MS = 30_000;

/** The play of a session: its own, or one that all sessions share when UNDERSTUDY_STATE names a file. */
export function playFor(script: Script, env: NodeJS.ProcessEnv, stored?: PlayState): Play {
  const file = env['UNDERSTUDY_STATE'];
  return file === undefined || file === '' ? script.play(stored) : new SharedPlay(script, file);
}

/**
 * A play whose state is in a file that many processes share. An orchestrator starts a new
 * session for every iteration, so a session's own state cannot distinguish the second from the first.
 * With this, `when.turn`, `max_matches` and `turns` count over all of them.
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

  /** Answers with the shared state. A lock lets only one process do this at a time. */
  override answer(said: Prompt): Reply {
    return withLockSync(this.#file, { longestMs: STALE_LOCK_MS }, () => {
      const play = this.#ours.play(this.#read());
      const reply = play.answer(said);
      this.#write(play.state);
      return reply;
    });
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
