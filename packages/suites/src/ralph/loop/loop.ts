import { delimiter, dirname, resolve } from 'node:path';
import { type Environment, readIfThere } from '@understudy/kit';
import { invocationOf } from './backend.js';
import { Backpressure } from './backpressure.js';
import { isComplete } from './completion.js';
import type { LoopConfig } from './config.js';
import type { LoopConsole } from './console.js';
import { EventLog } from './event-log.js';
import { type LoopEvent, parseEvents } from './events.js';
import { IterationLog, type LoopFact } from './iteration-log.js';
import { memoryBlock } from './memory/inject.js';
import { MemoryStore, memoryFile } from './memory/store.js';
import { buildPrompt } from './prompt.js';
import { type AgentRun, runAgent } from './run-agent.js';
import { type Batch, nextBatch } from './schedule.js';
import { exitCodes, limitReached, type Progress, type TerminationReason } from './termination.js';

export interface LoopOptions {
  /** The folder that the agents work in. */
  root: string;
  config: LoopConfig;
  objective: string;
  /** Continue earlier work instead of starting again. */
  resume: boolean;
  /** Arguments for every backend. */
  backendArgs: readonly string[];
  env: Environment;
  /** This program, for agents that call `ralph emit` or `ralph tools memory`. */
  program: string;
  interrupted: AbortSignal;
  console: LoopConsole;
}

/** One run of the loop in a folder. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #config: LoopConfig;
  readonly #events: EventLog;
  readonly #iterations: IterationLog;
  readonly #backpressure: Backpressure;
  readonly #started = performance.now();
  readonly #seen = new Set<string>();
  readonly #activations = new Map<string, number>();
  readonly #progress = { iterations: 0, consecutiveFailures: 0, sameEvents: 0, redispatches: 0 };
  #pending: LoopEvent[] = [];
  #lastWritten = '';

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#events = EventLog.start(options.root);
    this.#iterations = new IterationLog(this.#events.file);
    this.#backpressure = new Backpressure(options.config.backpressure.evidence);
  }

  /** Runs it to its end, and gives the exit code. */
  async run(): Promise<number> {
    const { objective, resume, interrupted } = this.#options;
    const { backend, hats, event_loop: settings } = this.#config;
    this.#record({
      type: 'start',
      objective,
      hats: hats.map(({ id }) => id),
      backend: backend.name,
      promise: settings.completion_promise,
      maxIterations: settings.max_iterations,
      events: this.#events.file,
    });
    this.#publish(resume ? 'task.resume' : (settings.starting_event ?? 'task.start'), objective);
    let reason: TerminationReason | undefined;
    while (reason === undefined) {
      if (interrupted.aborted) reason = 'interrupted';
      reason ??= limitReached(this.#measure(), settings);
      reason ??= await this.#iterate();
    }
    const { iterations, elapsedMs: milliseconds } = this.#measure();
    this.#record({ type: 'end', reason, exitCode: exitCodes[reason], iterations, milliseconds });
    return exitCodes[reason];
  }

  async #iterate(): Promise<TerminationReason | undefined> {
    const batch = this.#nextBatch();
    const iteration = ++this.#progress.iterations;
    const hat = batch.hat?.id ?? 'ralph';
    const run = await this.#runAgent(batch, iteration);
    const { written, published } = this.#takeEvents(run, batch);
    const { required_events: required, completion_promise: promise } = this.#config.event_loop;
    const missing = required.filter((topic) => !this.#seen.has(topic));
    const promised = !run.failed && isComplete(run.output, written, promise);
    const complete = promised && missing.length === 0;
    this.#record({ type: 'iteration_end', iteration, hat, ...run, written, published, complete });
    // Completion comes before the limits: a promise in the last allowed iteration counts.
    if (complete) return 'completed';
    if (run.ending === 'interrupted') return 'interrupted';
    if (run.ending === 'runtime') return 'max_runtime';
    if (run.ending === 'not_started') return 'backend_unavailable';
    if (written.some(({ topic }) => topic === 'loop.cancel')) return 'cancelled';
    this.#queue(batch, run, published);
    if (promised) this.#remind(`Not complete: these events are missing: ${missing.join(', ')}`);
    if (this.#pending.length === 0) this.#remind('Continue with the objective.');
    return undefined;
  }

  #measure(): Progress {
    return { ...this.#progress, elapsedMs: Math.round(performance.now() - this.#started) };
  }

  /** The next hat. A hat that reached its limit of activations is skipped, and the coordinator is informed. */
  #nextBatch(): Batch {
    for (;;) {
      const batch = nextBatch(this.#pending, this.#config.hats);
      const { hat } = batch;
      this.#pending = batch.rest;
      if (hat === undefined) return batch;
      const activations = (this.#activations.get(hat.id) ?? 0) + 1;
      this.#activations.set(hat.id, activations);
      if (activations <= hat.max_activations) return batch;
      this.#publish(`${hat.id}.exhausted`, `${hat.name} was activated ${hat.max_activations} times`);
    }
  }

  async #runAgent({ hat, events }: Batch, iteration: number): Promise<AgentRun> {
    const { root, config, backendArgs, console, interrupted } = this.#options;
    const prompt = this.#buildPrompt(events, hat);
    const backend = hat?.backend ?? config.backend;
    const invocation = invocationOf(backend, prompt, backendArgs);
    this.#record({
      type: 'iteration_start',
      iteration,
      hat: hat?.id ?? 'ralph',
      backend: backend.name,
      command: invocation.command.map((arg) => (arg === prompt ? '<prompt>' : arg)),
      prompt,
      pending: events,
    });
    return runAgent({
      invocation,
      cwd: root,
      env: this.#environment(),
      runtimeMs: config.event_loop.max_runtime_seconds * 1000 - this.#measure().elapsedMs,
      idleMs: config.idleTimeoutSeconds === undefined ? undefined : config.idleTimeoutSeconds * 1000,
      interrupted,
      onText: (text) => console.agentSays(text),
    });
  }

  #buildPrompt(pending: readonly LoopEvent[], hat: Batch['hat']): string {
    const { root, config, objective } = this.#options;
    const { enabled, inject, budget, path } = config.memories;
    const scratchpad = resolve(root, config.core.scratchpad);
    const memories = enabled && inject === 'auto' ? new MemoryStore(memoryFile(root, path)).all() : [];
    return buildPrompt({
      config,
      objective,
      scratchpad: readIfThere(scratchpad) ?? '',
      memories: memoryBlock(memories, budget),
      pending,
      hat,
    });
  }

  #environment(): Environment {
    const { env, program, root } = this.#options;
    return {
      ...env,
      PATH: [dirname(program), env['PATH'] ?? ''].join(delimiter),
      RALPH_BIN: program,
      RALPH_WORKSPACE_ROOT: root,
      RALPH_EVENTS_FILE: this.#events.file,
    };
  }

  /**
   * What the agent wrote, with `emit` and in its text, else the default of its hat; and what is published of it.
   */
  #takeEvents(run: AgentRun, { hat, events }: Batch): { written: LoopEvent[]; published: LoopEvent[] } {
    const source = hat?.id ?? 'ralph';
    const onFile: LoopEvent[] = this.#events.takeNew().map((event) => ({ ...event, source }));
    const written = [...onFile, ...parseEvents(run.output).map((event) => ({ ...event, source, ts: now() }))];
    // A failed agent that wrote nothing has not succeeded, so its default is not published.
    if (written.length === 0 && !run.failed && hat?.default_publishes !== undefined) {
      written.push({ topic: hat.default_publishes, payload: '', source, ts: now() });
    }
    const published = this.#config.backpressure.enabled ? this.#backpressure.apply(written, events) : written;
    this.#events.record(published.filter((event) => !onFile.includes(event)));
    for (const { topic } of published) this.#seen.add(topic);
    return { written, published };
  }

  /** Publishes an event of the loop itself. */
  #publish(topic: string, payload: string): void {
    const event = { topic, payload, ts: now() };
    this.#events.record([event]);
    this.#pending.push(event);
  }

  /** Informs the coordinator, and no hat, that there is work left. */
  #remind(payload: string): void {
    this.#pending.push({ topic: 'task.resume', payload, ts: now() });
  }

  /** Puts the consequences of an iteration into the queue. */
  #queue(batch: Batch, run: AgentRun, published: readonly LoopEvent[]): void {
    const abandoned = (event: LoopEvent) => this.#backpressure.isAbandoned(event);
    this.#progress.consecutiveFailures = run.failed ? this.#progress.consecutiveFailures + 1 : 0;
    // It failed: the same events are tried again.
    if (run.failed && published.length === 0) this.#pending.unshift(...batch.events);
    this.#pending.push(...published.filter((event) => event.topic !== 'build.blocked' || !abandoned(event)));
    const signature = JSON.stringify(published.map(({ topic, payload, source }) => [topic, payload, source]));
    const same = published.length > 0 && signature === this.#lastWritten;
    this.#progress.sameEvents = same ? this.#progress.sameEvents + 1 : 1;
    this.#lastWritten = signature;
    this.#progress.redispatches += published.filter((event) => event.topic === 'build.task' && abandoned(event)).length;
  }

  #record(fact: LoopFact): void {
    this.#iterations.write(fact);
    this.#options.console.shows(fact);
  }
}

function now(): string {
  return new Date().toISOString();
}
