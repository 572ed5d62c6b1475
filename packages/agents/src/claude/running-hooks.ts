import { defined, type StartedProcess, startedBy, UnderstudyError, variableOf } from '@understudy/kit';
import type { EventBody } from '../events.js';
import { eventOfHook } from './facts/hooks/events.js';

/** Hooks that have begun and not ended. The CLI reports their names; their commands are seen in its processes. */
export class RunningHooks {
  readonly #running = new Map<string, { name: string; since: number }>();
  readonly #waiting = new Set<() => void>();

  note(event: EventBody): void {
    if (event.type === 'hook_started') this.#running.set(event.id, { name: event.name, since: performance.now() });
    else if (event.type === 'hook_finished' && this.#running.delete(event.id)) {
      for (const look of [...this.#waiting]) look();
    }
  }

  /** Waits until no hook of an event runs, and says whether there was one. */
  async ended(event: string): Promise<boolean> {
    const runs = () => [...this.#running.values()].some(({ name }) => eventOfHook(name) === event);
    if (!runs()) return false;
    await new Promise<void>((done) => {
      const look = () => {
        if (runs()) return;
        this.#waiting.delete(look);
        done();
      };
      this.#waiting.add(look);
    });
    return true;
  }

  /** Which hooks a CLI with this process id waits for, with command and time; nothing when it waits for none. */
  describe(pid: number, unnamed = 'a hook'): string | undefined {
    const told = [...this.#running.values()];
    const names = [...new Set(told.map(({ name }) => name))];
    const hook = names.length === 0 ? unnamed : `the hook ${names.join(' or ')}`;
    const commands = startedBy(pid).flatMap((started) => hookCommand(started) ?? []);
    if (commands.length > 0) {
      return commands
        .map(({ command, milliseconds }) => `${hook} is still running${after(milliseconds)}: ${command}`)
        .join('; ');
    }
    const [first] = told;
    return first === undefined ? undefined : `${hook} is still running${after(performance.now() - first.since)}`;
  }
}

/** The CLI gives hooks to a shell. Where environments can be read, they distinguish a hook from a server or a tool. */
function hookCommand({ pid, command, milliseconds }: StartedProcess): Omit<StartedProcess, 'pid'> | undefined {
  const text = /^(?:\S*\/)?(?:sh|bash|zsh|dash)(?: -\w+)*? -\w*c (?:\S+\/record-hook\.sh )?(.+)$/s.exec(command)?.[1];
  if (text === undefined) return undefined;
  const isHook =
    process.platform !== 'linux' ||
    (variableOf(pid, 'CLAUDE_PROJECT_DIR') !== undefined && variableOf(pid, 'CLAUDE_CODE_CHILD_SESSION') !== undefined);
  return isHook ? { command: text, ...defined({ milliseconds }) } : undefined;
}

function after(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : ` after ${Math.round(milliseconds)} ms`;
}

export function blockedByHook(waitsFor: string, cause: unknown): UnderstudyError {
  return new UnderstudyError('AGENT_START_BLOCKED_BY_HOOK', `Claude Code did not become ready: ${waitsFor}`, {
    cause,
    fix: 'Make the hook end, give it a `timeout`, or run slow work in the background.',
  });
}
