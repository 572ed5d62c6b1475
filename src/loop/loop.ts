import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import type { Environment } from '../process/environment.js';
import { invocationOf } from './backend.js';
import { applyBackpressure, BLOCKS_UNTIL_ABANDONED, type BlockCounts, taskOf } from './backpressure.js';
import { isComplete, missingEvents } from './completion.js';
import { inWorkspace, type LoopConfig } from './config.js';
import type { LoopConsole } from './console.js';
import { EventLog } from './event-log.js';
import { type LoopEvent, parseEvents } from './events.js';
import { IterationLog } from './iteration-log.js';
import { memoryBlock } from './memory/inject.js';
import { MemoryStore, memoryFile } from './memory/store.js';
import { buildPrompt } from './prompt.js';
import { type AgentRun, runAgent } from './run-agent.js';
import { type Batch, exhausted, nextBatch, resumeEvent } from './schedule.js';
import { exitCodeOf, limitReached, type Progress, type TerminationReason } from './termination.js';

export interface LoopOptions {
  /** The folder that the agents work in. */
  root: string;
  config: LoopConfig;
  objective: string;
  /** Take up earlier work instead of starting anew. */
  resume?: boolean;
  /** Handed on to every backend. */
  backendArgs?: readonly string[];
  env: Environment;
  /** A program that is us, for agents that call `ralph emit` or `ralph tools memory`. */
  program: string;
  interrupted: AbortSignal;
  console: LoopConsole;
}

export interface LoopResult {
  reason: TerminationReason;
  exitCode: number;
  iterations: number;
  milliseconds: number;
}

/** Runs a loop to its end. */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  return new Loop(options).run();
}

class Loop {
  readonly #options: LoopOptions;
  readonly #config: LoopConfig;
  readonly #events: EventLog;
  readonly #iterations: IterationLog;
  readonly #started = performance.now();
  readonly #seen = new Set<string>();
  readonly #activations = new Map<string, number>();
  readonly #progress = { iterations: 0, consecutiveFailures: 0, sameEvents: 0, redispatches: 0 };
  #pending: LoopEvent[] = [];
  #blocks: BlockCounts = {};
  #lastWritten = '';

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#events = EventLog.start(options.root);
    this.#iterations = IterationLog.besides(this.#events.file);
  }

  async run(): Promise<LoopResult> {
    const { config, objective, resume = false } = this.#options;
    this.#iterations.write({
      type: 'start',
      objective,
      hats: config.hats.map(({ id }) => id),
      backend: config.backend.name,
      promise: config.completionPromise,
      maxIterations: config.maxIterations,
      events: this.#events.file,
    });
    this.#publish([
      { topic: resume ? 'task.resume' : (config.startingEvent ?? 'task.start'), payload: objective, ts: now() },
    ]);
    let reason: TerminationReason | undefined;
    while (reason === undefined) {
      if (this.#options.interrupted.aborted) reason = 'interrupted';
      reason ??= limitReached(this.#measure(), config);
      reason ??= await this.#iterate();
    }
    const exitCode = exitCodeOf(reason);
    const { iterations, elapsedMs } = this.#measure();
    this.#iterations.write({ type: 'end', reason, exitCode, iterations, milliseconds: elapsedMs });
    this.#options.console.ends(reason, iterations, elapsedMs);
    return { reason, exitCode, iterations, milliseconds: elapsedMs };
  }

  async #iterate(): Promise<TerminationReason | undefined> {
    const batch = this.#nextBatch();
    const iteration = ++this.#progress.iterations;
    const run = await this.#runAgent(batch, iteration);
    const { written, onFile } = this.#takeWritten(run, batch);
    const published = this.#applyRules(written, onFile, batch);
    const missing = missingEvents(this.#config.requiredEvents, this.#seen);
    const promised = !run.failed && isComplete(run.text, written, this.#config.completionPromise);
    const complete = promised && missing.length === 0;
    this.#iterations.write({
      type: 'iteration_end',
      iteration,
      hat: batch.hat?.id ?? 'ralph',
      output: run.text,
      stderr: run.stderr,
      written,
      published,
      code: run.code,
      signal: run.signal,
      ending: run.ending,
      failed: run.failed,
      complete,
      milliseconds: run.milliseconds,
    });
    this.#options.console.iterationEnds(iteration, this.#config.maxIterations, run.milliseconds, published, run.failed);
    // Completion comes before the limits: a promise kept in the last allowed iteration is kept.
    if (complete) return 'completed';
    if (run.ending === 'interrupted') return 'interrupted';
    if (run.ending === 'runtime') return 'max_runtime';
    if (run.ending === 'not_started') {
      this.#options.console.warns(run.stderr);
      return 'backend_unavailable';
    }
    if (written.some(({ topic }) => topic === 'loop.cancel')) return 'cancelled';
    this.#queue(batch, run, published);
    if (promised)
      this.#pending.push(resumeEvent(`Not complete: these events are missing: ${missing.join(', ')}`, now()));
    if (this.#pending.length === 0) this.#pending.push(resumeEvent('Continue with the objective.', now()));
    return undefined;
  }

  #measure(): Progress {
    return { ...this.#progress, elapsedMs: Math.round(performance.now() - this.#started) };
  }

  /** Who is next; a hat that has been on too often is passed over, and the coordinator hears of it. */
  #nextBatch(): Batch {
    for (;;) {
      const batch = nextBatch(this.#pending, this.#config.hats);
      const { hat } = batch;
      const activations = hat === undefined ? 0 : (this.#activations.get(hat.id) ?? 0);
      if (hat === undefined || activations < hat.maxActivations) {
        if (hat !== undefined) this.#activations.set(hat.id, activations + 1);
        this.#pending = batch.rest;
        return batch;
      }
      this.#pending = batch.rest;
      this.#publish([exhausted(hat, now())]);
    }
  }

  async #runAgent({ hat, events }: Batch, iteration: number): Promise<AgentRun> {
    const { root, config, backendArgs, console } = this.#options;
    const prompt = this.#buildPrompt(events, hat);
    const backend = hat?.backend ?? config.backend;
    const invocation = invocationOf(backend, prompt, backendArgs);
    const { elapsedMs } = this.#measure();
    const name = hat?.id ?? 'ralph';
    this.#iterations.write({
      type: 'iteration_start',
      iteration,
      hat: name,
      backend: backend.name,
      command: invocation.command.map((arg) => (arg === prompt ? '<prompt>' : arg)),
      prompt,
      pending: events,
    });
    console.iterationStarts(iteration, config.maxIterations, name, elapsedMs);
    return runAgent({
      invocation,
      cwd: root,
      env: this.#environment(),
      runtimeMs: config.maxRuntimeSeconds * 1000 - elapsedMs,
      idleMs: config.idleTimeoutSeconds === undefined ? undefined : config.idleTimeoutSeconds * 1000,
      interrupted: this.#options.interrupted,
      onText: (text) => console.agentSays(text),
    });
  }

  #buildPrompt(pending: readonly LoopEvent[], hat: Batch['hat']): string {
    const { root, config, objective } = this.#options;
    const { enabled, inject, budget, path } = config.memories;
    const scratchpad = inWorkspace(root, config.scratchpad);
    const memories = enabled && inject === 'auto' ? new MemoryStore(memoryFile(root, path)).all() : [];
    return buildPrompt({
      config,
      objective,
      scratchpad: existsSync(scratchpad) ? readFileSync(scratchpad, 'utf8') : '',
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

  /** What the agent wrote, by `emit` and in its text; else what its hat publishes by default. */
  #takeWritten(run: AgentRun, { hat }: Batch): { written: LoopEvent[]; onFile: LoopEvent[] } {
    const source = hat?.id ?? 'ralph';
    const onFile = this.#events.takeNew().map((event) => ({ ...event, source }));
    const written = [...onFile, ...parseEvents(run.text).map((event) => ({ ...event, source, ts: now() }))];
    // A broken agent's silence is no success, so it publishes nothing.
    if (written.length === 0 && !run.failed && hat?.defaultPublishes !== undefined) {
      written.push({ topic: hat.defaultPublishes, payload: '', source, ts: now() });
    }
    return { written, onFile };
  }

  #applyRules(written: readonly LoopEvent[], onFile: readonly LoopEvent[], batch: Batch): LoopEvent[] {
    const { enabled, evidence } = this.#config.backpressure;
    const { events, counts } = enabled
      ? applyBackpressure(written, batch.events, evidence, this.#blocks)
      : { events: [...written], counts: this.#blocks };
    this.#blocks = counts;
    this.#events.record(events.filter((event) => !onFile.includes(event)));
    for (const { topic } of events) this.#seen.add(topic);
    return events;
  }

  /** Publishes in the loop's own name. */
  #publish(events: readonly LoopEvent[]): void {
    this.#events.record(events);
    this.#pending.push(...events);
  }

  /** Puts the consequences of an iteration into the queue. */
  #queue(batch: Batch, run: AgentRun, published: readonly LoopEvent[]): void {
    this.#progress.consecutiveFailures = run.failed ? this.#progress.consecutiveFailures + 1 : 0;
    // Nothing came of it: the same events are tried again.
    if (run.failed && published.length === 0) this.#pending.unshift(...batch.events);
    this.#pending.push(...published.filter((event) => event.topic !== 'build.blocked' || !this.#isAbandoned(event)));
    const signature = JSON.stringify(published.map(({ topic, payload, source }) => [topic, payload, source]));
    const same = published.length > 0 && signature === this.#lastWritten;
    this.#progress.sameEvents = same ? this.#progress.sameEvents + 1 : 1;
    this.#lastWritten = signature;
    const again = published.filter((event) => event.topic === 'build.task' && this.#isAbandoned(event));
    this.#progress.redispatches += again.length;
  }

  /** Nobody is to work any more on a task that was given up. */
  #isAbandoned(event: LoopEvent): boolean {
    return (this.#blocks[taskOf(event, [])] ?? 0) >= BLOCKS_UNTIL_ABANDONED;
  }
}

function now(): string {
  return new Date().toISOString();
}
