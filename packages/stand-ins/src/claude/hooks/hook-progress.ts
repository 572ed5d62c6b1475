import type { JsonObject } from '@understudy/kit';
import type { Session } from '../session/session.js';

const EVERY_MS = 1000;

/** Sends a host every second what a running hook has written, if it has written more. */
export class HookProgress {
  #written = { stdout: '', stderr: '' };
  #told = '';
  readonly #timer: NodeJS.Timeout;

  constructor(session: Session, about: JsonObject) {
    this.#timer = setInterval(() => {
      const { stdout, stderr } = this.#written;
      const output = stdout + stderr;
      if (output === this.#told) return;
      this.#told = output;
      session.out.system('hook_progress', { ...about, stdout, stderr, output });
    }, EVERY_MS);
  }

  push(stdout: string, stderr: string): void {
    this.#written = { stdout, stderr };
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
