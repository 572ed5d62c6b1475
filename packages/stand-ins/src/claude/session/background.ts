import { setTimeout as sleep } from 'node:timers/promises';
import type { HookEventName } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import type { Outbox } from './outbox.js';
import type { TranscriptLine } from './transcript.js';

/** A notice to the agent that a task has ended in the background. */
export interface TaskNotice {
  /** What the agent reads. */
  text: string;
  /** That of the task. */
  runId: string;
  /** What the agent receives before it. */
  reminders: string[];
}

/** A line of the transcript about a hook in the background, and what the model reads of it. */
interface LateWords {
  line: TranscriptLine;
  note: string;
}

/** All that goes on while the session does other things: hooks, subagents, and notices that the agent has not received yet. */
export class Background {
  readonly hooks = new BackgroundHooks();
  readonly #out: Outbox;
  /** Subagents that have not begun yet: they work while nobody waits for the model. */
  readonly #launched: (() => Promise<void>)[] = [];
  /** The tasks that have not ended, as a host receives them. */
  #tasks: JsonObject[] = [];
  #notices: TaskNotice[] = [];
  readonly #lateWords: LateWords[] = [];

  constructor(out: Outbox) {
    this.#out = out;
  }

  /** Keeps a subagent for later; the host receives its task until it has ended, and the agent then. */
  launch(task: JsonObject, work: () => Promise<TaskNotice>): void {
    this.#showTasks([...this.#tasks, task]);
    this.#launched.push(async () => {
      const notice = await work();
      this.#showTasks(this.#tasks.filter((one) => one !== task));
      this.#notices = [...this.#notices, notice];
    });
  }

  #showTasks(tasks: JsonObject[]): void {
    this.#tasks = tasks;
    this.#out.system('background_tasks_changed', { tasks });
  }

  /** The subagents that were launched and have not begun. */
  takeLaunched(): (() => Promise<void>)[] {
    return this.#launched.splice(0);
  }

  /** The tasks that run, as hooks see them. */
  tasks(): JsonObject[] {
    return this.#tasks.map(({ task_id: id, description, subagent_type }) => ({
      ...{ id, type: 'subagent', status: 'running', description, agent_type: subagent_type },
    }));
  }

  /** Notices for the agent about tasks that have ended. */
  get notices(): readonly TaskNotice[] {
    return this.#notices;
  }

  /** The agent receives it now. */
  markDelivered(notice: TaskNotice): void {
    this.#notices = this.#notices.filter((one) => one !== notice);
  }

  /** A hook has ended. */
  say(words: LateWords): void {
    this.#lateWords.push(words);
  }

  /** What hooks have said since the last request. */
  takeLateWords(): LateWords[] {
    return this.#lateWords.splice(0);
  }
}

/** What is short has ended after this, however busy the machine is. */
const SHORT_MS = 500;

interface RunningHook {
  event: HookEventName;
  ended: Promise<void>;
  /** Ends it with the session. */
  stop: AbortController;
}

/** Hooks that go on while the session does other things. */
class BackgroundHooks {
  readonly #running = new Set<RunningHook>();
  /** Those that have not had their moment to end. */
  #fresh: RunningHook[] = [];

  add(hook: RunningHook): void {
    this.#running.add(hook);
    this.#fresh.push(hook);
    hook.ended.finally(() => this.#running.delete(hook)).catch(() => {});
  }

  /** Gives those that have begun since then a moment to end; those of an event, or all. */
  async settle(event?: HookEventName): Promise<void> {
    const fresh = this.#fresh.filter((hook) => event === undefined || hook.event === event);
    if (fresh.length === 0) return;
    this.#fresh = this.#fresh.filter((hook) => !fresh.includes(hook));
    const ended = Promise.all(fresh.map((hook) => hook.ended));
    await Promise.race([ended, sleep(SHORT_MS, undefined, { ref: false })]);
  }

  /** Ends those that still run; each reports that it was cancelled. */
  async end(): Promise<void> {
    for (const { stop } of this.#running) stop.abort();
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }
}
