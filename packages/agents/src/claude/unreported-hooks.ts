import type { EventBody } from '../events.js';
import { UnreadableEvents } from '../unreadable-events.js';
import { isUnreported } from './facts/hooks/events.js';
import { type HookRecorder, recordedEvents } from './hook-recorder.js';

/** Hooks that the CLI does not report, as their own side has seen them. */
export class UnreportedHooks {
  readonly #recorder: HookRecorder | undefined;
  readonly #emit: (event: EventBody) => void;
  readonly #known = new Set<string>();
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
}
