import { defined, type ProgramEnd, type Unreadable, type UntrustedFolder } from '@understudy/kit';
import type { ScriptUsage } from '@understudy/script';
import type { ObservedProgram } from '../ralph/checks/observed-program.js';
import type { ProgramEscape } from '../ralph/checks/program-checks.js';
import type { LoopEvent } from '../ralph/loop/events.js';
import type { LoopRecord } from '../ralph/loop/iteration-log.js';
import { readPointedLines } from './workspace-files.js';

/** One call of the orchestrator. */
export interface StepRun extends ProgramEnd {
  /** Processes that it started and that were still running when it ended. */
  leftovers: readonly string[];
}

/** One iteration, by the records of the loop. What is not recorded is absent. */
export interface IterationFacts {
  iteration: number;
  hat?: string;
  backend?: string;
  command: readonly string[];
  prompt?: string;
  output?: string;
  stderr?: string;
  code?: number | null;
  failed?: boolean;
  milliseconds?: number;
  published?: readonly LoopEvent[];
  /** Tools that the agent used and tokens that it wrote, where its output reports them. */
  toolCalls?: number;
  outputTokens?: number;
  /** What it cost, where its CLI reports it. */
  costUsd?: number;
}

/** What was observed of a case: the calls, and what the loop left in its files. */
export interface Observation extends ObservedProgram {
  runs: readonly StepRun[];
  last: StepRun | undefined;
  events: readonly LoopEvent[];
  iterations: readonly IterationFacts[];
  unlogged: readonly string[];
  /** What it tried to reach outside of its sandbox. */
  escapes?: readonly ProgramEscape[];
  /** What was found in the place of its records and files so far, and not read. */
  unreadable?(): readonly Unreadable[];
  /** On a recording: what nobody asked for, and what it has no answer for. */
  replayed?: ScriptUsage;
}

/** What a run left in its files. */
export interface RunFacts {
  events: readonly LoopEvent[];
  iterations: readonly IterationFacts[];
  termination: string | undefined;
  /** The topics of events that are missing in the events file. */
  unlogged: readonly string[];
}

/** Combines what the calls returned with what the last run left in a workspace. */
export function observe(
  workspace: UntrustedFolder,
  runs: readonly StepRun[],
  facts: RunFacts = readLoopRecords(workspace),
  pathOf: (file: string) => string = (file) => file,
): Observation {
  return {
    runs,
    last: runs.at(-1),
    timedOut: runs.some((run) => run.timedOut),
    leftovers: runs.flatMap((run) => run.leftovers),
    ...facts,
    read: (file) => workspace.text(pathOf(file)),
    unreadable: () => workspace.unreadable,
  };
}

/** What the reference loop has recorded. */
function readLoopRecords(workspace: UntrustedFolder): RunFacts {
  const records = readPointedLines(workspace, '.ralph/current-iterations').filter(isRecord);
  const end = records.find((record) => record.type === 'end');
  const events = readPointedLines(workspace, '.ralph/current-events').flatMap((line) => toEvent(line) ?? []);
  const iterations = iterationsOf(records);
  const published = iterations.flatMap((iteration) => iteration.published ?? []).map(({ topic }) => topic);
  return { events, iterations, termination: end?.reason, unlogged: missingIn(events, published) };
}

/** The topics that no event has, each once. */
export function missingIn(events: readonly { topic: string }[], topics: readonly string[]): string[] {
  const there = new Set(events.map(({ topic }) => topic));
  return [...new Set(topics)].filter((topic) => !there.has(topic));
}

function isRecord(value: unknown): value is LoopRecord {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** An event of an events file. Agents write to this file, too, so it is not trusted. */
export function toEvent(value: unknown): LoopEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { topic, payload, ts, target, source } = value as Record<string, unknown>;
  if (typeof topic !== 'string') return undefined;
  return {
    topic,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload ?? ''),
    ...(typeof target === 'string' ? { target } : {}),
    ...(typeof source === 'string' ? { source } : {}),
    ts: typeof ts === 'string' ? ts : '',
  };
}

function iterationsOf(records: readonly LoopRecord[]): IterationFacts[] {
  return records.flatMap((start): IterationFacts[] => {
    if (start.type !== 'iteration_start') return [];
    const { iteration, hat, backend, command, prompt } = start;
    const end = records.find((record) => record.type === 'iteration_end' && record.iteration === iteration);
    if (end?.type !== 'iteration_end') return [{ iteration, hat, backend, command, prompt }];
    const { output, stderr, code, failed, milliseconds, published, toolCalls, outputTokens, costUsd } = end;
    return [
      {
        ...{ iteration, hat, backend, command, prompt, output, stderr, code, failed, milliseconds, published },
        ...defined({ toolCalls, outputTokens, costUsd }),
      },
    ];
  });
}
