import type { EventBody, EventBodyOf } from '../events.js';
import { UnreadableEvents } from '../unreadable-events.js';
import { isUnreported } from './facts/hooks/events.js';
import { type HookRecorder, type HookRecording, recordedEvents } from './hook-recorder.js';

/** What the side of the hooks has seen: runs that the CLI does not report, and what the others were given. */
export class UnreportedHooks {
  readonly #recorder: HookRecorder | undefined;
  readonly #emit: (event: EventBody) => void;
  readonly #known = new Set<string>();
  /** Runs of the others whose reports have come. */
  readonly #matched = new Set<string>();
  readonly #unreadable: UnreadableEvents;

  constructor(recorder: HookRecorder | undefined, emit: (event: EventBody) => void) {
    this.#recorder = recorder;
    this.#unreadable = new UnreadableEvents(recorder);
    this.#emit = emit;
  }

  /** What ran before the hook that the CLI reports now. */
  reportBefore(message: unknown): void {
    if ((message as { subtype?: unknown } | null)?.subtype === 'hook_started') this.report();
  }

  /** What has ended since the last look. At the end of the CLI, also what has not. */
  report(isEnd = false): void {
    for (const recording of this.#recorder?.readLog(this.#known) ?? []) {
      if (recording.exitCode === undefined && !isEnd) continue;
      this.#known.add(recording.id);
      if (isUnreported(recording.event)) for (const event of recordedEvents(recording)) this.#emit(event);
    }
    for (const event of this.#unreadable.look()) this.#emit(event);
  }

  /** An event, of a hook that was recorded with what it was given. */
  withPayload(event: EventBody): EventBody {
    if (event.type !== 'hook_finished' || event.payload !== undefined || this.#recorder === undefined) return event;
    const run = this.#recorder.readLog(this.#matched).find((one) => isRunOf(one, event));
    if (run === undefined) return event;
    this.#matched.add(run.id);
    return { ...event, payload: run.payload };
  }
}

/** Of runs that are the same in all of this, it does not matter which is taken first. */
function isRunOf(run: HookRecording, { name, exitCode, stdout, stderr }: EventBodyOf<'hook_finished'>): boolean {
  const isNamed = recordedEvents(run).some((event) => event.type === 'hook_finished' && event.name === name);
  const isSame = (one: string, other: string) => one.trim() === other.trim();
  return isNamed && run.exitCode === exitCode && isSame(run.stdout, stdout) && isSame(run.stderr, stderr);
}
