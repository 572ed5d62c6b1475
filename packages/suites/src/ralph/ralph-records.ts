import type { UntrustedFolder } from '@understudy/kit';
import { type BackendCall, isPointer } from '../orchestrators/agent-calls.js';
import { type IterationFacts, missingIn, type RunFacts, toEvent } from '../orchestrators/observation.js';
import { readJsonLines, readPointedLines } from '../orchestrators/workspace-files.js';
import { SESSION } from './dialect.js';
import { type LoopEvent, parseEvents } from './loop/events.js';

/** A line of Ralph's events file: an event, or a note of the loop itself. `ralph emit` writes neither hat nor iteration. */
interface Row extends LoopEvent {
  iteration?: number;
  hat?: string;
}

const LOOP = 'loop';
const SUMMARY = 'iteration.summary';
const END = 'loop.terminate';
const OWN_TOPICS = ['event.orphaned', 'task.resume', END];

/**
 * The facts of the last run of a real Ralph: published events from its session recording, durations
 * and the end from its events file, hats from its log of prompts, and what the agents got and said
 * from our own record of their calls.
 */
export function readRalphRecords(workspace: UntrustedFolder, calls: readonly BackendCall[]): RunFacts {
  const rows = lastRun(readPointedLines(workspace, '.ralph/current-events').flatMap((line) => toRow(line) ?? []));
  const summaries = rows.filter((row) => isOwn(row, SUMMARY));
  const prompts = readPromptLog(workspace, calls);
  const count = Math.max(prompts.length, calls.length, ...summaries.map(({ iteration = 0 }) => iteration));
  const published = readJsonLines(workspace, SESSION).flatMap((line) => toPublished(line, summaries, prompts) ?? []);
  const iterations = Array.from({ length: count }, (_, index): IterationFacts => {
    const iteration = index + 1;
    const logged = prompts[index];
    const { command = [], prompt: given, ...call } = calls[index] ?? {};
    // What the agent received counts more than what was logged.
    const prompt = given === undefined || isPointer(given) ? logged?.prompt : given;
    const milliseconds = durationOf(summaries.find((row) => row.iteration === iteration));
    return {
      ...{ iteration, command },
      ...(logged === undefined ? {} : { hat: logged.hat }),
      ...(prompt === undefined ? {} : { prompt }),
      // A prompt without a call: the agent could not be started, so it said nothing.
      ...(logged !== undefined && calls[index] === undefined ? { output: '' } : {}),
      ...call,
      ...(milliseconds === undefined ? {} : { milliseconds }),
      published: published.filter((event) => event.iteration === iteration).map(({ event }) => event),
    };
  });
  // What starts the loop is published before the recording begins.
  const started = rows.filter(({ hat, iteration }) => hat === LOOP && iteration === 0);
  const events = started.map(({ topic, payload, ts }): LoopEvent => ({ topic, payload, source: LOOP, ts }));
  // The file has only what agents wrote of what the loop publishes as it is.
  const written = calls.flatMap(({ output }) => parseEvents(output)).map(({ topic }) => topic);
  const taken = published.map(({ event }) => event.topic).filter((topic) => written.includes(topic));
  return {
    events: [...events, ...published.map(({ event }) => event)],
    iterations,
    termination: reasonOf(rows),
    unlogged: missingIn(rows, taken),
  };
}

/** A line of the recording, if it is an event, and the iteration after which it was published. */
function toPublished(
  line: unknown,
  summaries: readonly Row[],
  prompts: readonly LoggedPrompt[],
): { event: LoopEvent; iteration: number } | undefined {
  const { event: kind, data, ts } = line as { event?: unknown; data?: unknown; ts?: unknown };
  const event = kind === 'bus.publish' ? toEvent(data) : undefined;
  if (event === undefined || typeof ts !== 'number') return undefined;
  const iteration = summaries.filter((summary) => Date.parse(summary.ts) <= ts).length;
  const own = OWN_TOPICS.includes(event.topic);
  const source = own ? LOOP : (event.source ?? prompts[iteration - 1]?.hat);
  const published = { ...event, ts: new Date(ts).toISOString() };
  return { event: source === undefined ? published : { ...published, source }, iteration };
}

function toRow(line: unknown): Row | undefined {
  const event = toEvent(line);
  if (event === undefined) return undefined;
  const { iteration, hat } = line as Record<string, unknown>;
  return {
    ...event,
    ...(typeof iteration === 'number' ? { iteration } : {}),
    ...(typeof hat === 'string' ? { hat } : {}),
  };
}

/** Whether the loop itself wrote the line: agents may use the same topic. */
function isOwn({ topic, hat }: Row, wanted: string): boolean {
  return topic === wanted && hat === LOOP;
}

/** Two runs within a second share a file. */
function lastRun(rows: readonly Row[]): Row[] {
  const before = rows.slice(0, -1).findLastIndex((row) => isOwn(row, END));
  return rows.slice(before + 1);
}

function reasonOf(rows: readonly Row[]): string | undefined {
  return /^## Reason\n(\w+)/.exec(rows.findLast((row) => isOwn(row, END))?.payload ?? '')?.[1];
}

function durationOf(summary: Row | undefined): number | undefined {
  try {
    const { duration_ms: milliseconds } = JSON.parse(summary?.payload ?? '{}') as { duration_ms?: unknown };
    return typeof milliseconds === 'number' ? milliseconds : undefined;
  } catch {
    return undefined;
  }
}

interface LoggedPrompt {
  hat: string;
  prompt: string;
}

const RULE = '\n\n---\n\n';

/**
 * Ralph's log of prompts is Markdown, and a prompt may contain lines that look like its headings. So each prompt is
 * searched as the agent received it; its end is guessed only where that is not known.
 */
function readPromptLog(workspace: UntrustedFolder, calls: readonly BackendCall[]): LoggedPrompt[] {
  const text = newestLog(workspace) ?? '';
  let prompts: LoggedPrompt[] = [];
  for (let at = 0; at < text.length; ) {
    const next = prompts.length + 1;
    // Two runs within a second share a log: the count starts again.
    const heading = new RegExp(`# Iteration (${next}|1) — (\\S+)\n\n`, 'y');
    heading.lastIndex = at;
    const [, number, hat] = heading.exec(text) ?? [];
    if (hat === undefined) break;
    if (number === '1') prompts = [];
    const start = heading.lastIndex;
    const given = calls[prompts.length]?.prompt ?? '';
    const end = knownEnd(text, start, given) ?? guessEnd(text, start, next);
    prompts.push({ hat, prompt: text.slice(start, end) });
    at = end + RULE.length;
  }
  return prompts;
}

/** Where a prompt ends that begins as the agent received it. CLIs cut the newlines at its end. */
function knownEnd(text: string, start: number, given: string): number | undefined {
  if (given === '' || !text.startsWith(given, start)) return undefined;
  let end = start + given.length;
  while (text[end] === '\n' && !text.startsWith(RULE, end)) end++;
  return end;
}

function guessEnd(text: string, start: number, iteration: number): number {
  const found = new RegExp(`${RULE}# Iteration (?:${iteration + 1}|1) — \\S+\n\n`).exec(text.slice(start));
  return found === null ? Math.max(start, text.length - RULE.length) : start + found.index;
}

/** Each process of a run makes a folder named after the second. Only the one that runs the loop logs prompts. */
function newestLog(workspace: UntrustedFolder): string | undefined {
  const folder = '.ralph/diagnostics';
  const runs = workspace.list(folder).reverse();
  for (const { name } of runs) {
    const text = workspace.text(`${folder}/${name}/prompt-log.md`);
    if (text !== undefined) return text;
  }
  return undefined;
}
