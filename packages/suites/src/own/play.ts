import { awaitPart, type OutputBudget, UnderstudyError, validate } from '@understudy/kit';
import type { Entry, PlayContext, Played } from '@understudy/runner';
import { type CheckResult, checkResultSchema, hasPassed, judgedAs, judgementSchema } from '@understudy/verdict';
import * as z from 'zod/mini';
import type { EntryStage, LoadedSuite, SuitePlay } from './define.js';
import { messageOf, partFailed } from './load-suite.js';

const DEFAULT_TIMEOUT_MS = 300_000;

const optionsSchema = z.object({ module: z.string(), data: z.optional(z.json()) });

/** What the tools of an entry are made for. */
export interface ToolsOptions extends Pick<PlayContext, 'onStep'> {
  entry: Pick<SuitePlay, 'file' | 'agent' | 'stage'>;
  /** The module of the suite. */
  module: string;
  isolation: string | undefined;
  escapes: 'any' | undefined;
  /** An empty folder. */
  folder: string;
  signal: AbortSignal;
  output: OutputBudget | undefined;
}

/** What an entry is played with, and what was seen in addition to the checks of the suite. */
export interface OpenedTools<Tools> {
  tools: Tools;
  /** Ends what was started. Its checks are those that did not pass and nobody has to ask for. */
  finish(): Promise<Played>;
  close(): Promise<void>;
}

export type OpenTools<Tools> = (options: ToolsOptions) => OpenedTools<Tools>;

interface Playing<Tools> extends PlayContext {
  module: string;
  suite: LoadedSuite<Tools>;
  openTools: OpenTools<Tools>;
}

/** The module of the suite that plays an entry. */
export function moduleOf({ options }: Entry): string {
  return optionsSchema.parse(options).module;
}

/** Plays an entry of a suite. What goes wrong in the suite is an error that names it, and never a verdict. */
export async function playSuiteEntry<Tools>(entry: Entry, playing: Playing<Tools>): Promise<Played> {
  const { module, suite, openTools, folder, onStep, output } = playing;
  const ending = new AbortController();
  const signal = AbortSignal.any([playing.signal, ending.signal]);
  const played = suitePlay(entry);
  const opened = openTools({
    ...{ entry: played, module, folder, signal, output, onStep },
    ...{ isolation: entry.isolation?.requested, escapes: suite.escapes },
  });
  try {
    const own = await checksOf(suite, module, played, opened.tools, playing.signal);
    const { checks, ...rest } = await opened.finish();
    return { ...rest, checks: [...own, ...checks].map((check) => located(check, played.file)) };
  } finally {
    // What it left running gets nothing more to do.
    ending.abort();
    await opened.close();
  }
}

function suitePlay({ name, file = '', tags, agent, stage, options }: Entry): SuitePlay {
  const { data } = optionsSchema.parse(options);
  // A copy: what a play does to it changes nothing for the next one.
  return { name, file, tags: [...tags], agent, stage: stage as EntryStage, data: structuredClone(data) };
}

async function checksOf<Tools>(
  suite: LoadedSuite<Tools>,
  module: string,
  entry: SuitePlay,
  tools: Tools,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const patienceMs = suite.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let given: unknown;
  try {
    given = await awaitPart(() => suite.play(entry, tools), { patienceMs, signal });
  } catch (error) {
    // What a tool found out has a fix of its own.
    if (error instanceof UnderstudyError) throw error;
    const fix = 'Correct the suite: what does not hold is a check that it returns, and never an error.';
    throw partFailed(module, `failed in play() of "${entry.name}": ${messageOf(error)}`, fix, error);
  }
  const gave = `gave in play() of "${entry.name}"`;
  if (!Array.isArray(given)) throw partFailed(module, `${gave} no list of checks`, RESULT);
  if (given.length === 0) throw partFailed(module, `${gave} no check, so nothing is proven`, RESULT);
  return given.map((one, index) => toCheck(one) ?? refuse(`${gave} what cannot be shown: check ${index + 1}`));

  function refuse(what: string): never {
    throw partFailed(module, what, RESULT);
  }
}

const RESULT =
  'Return a list: { name, passed, expected, seen } with texts, and if you like `evidence` (a list) and `fix`; { name, unjudged, expected }; or what `tools.checkRun` and `tools.checkTurn` give.';

const named = z.object({ name: z.string().check(z.minLength(1)) });

function toCheck(given: unknown): CheckResult | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  if ('status' in given) return validate(checkResultSchema, given).value;
  const { name, ...judgement } = given as { name?: unknown };
  const head = validate(named, { name }).value;
  const judged = validate(judgementSchema, judgement).value;
  return head === undefined || judged === undefined ? undefined : judgedAs(head.name, judged);
}

/** Where a red check comes from, as far as anybody knows. */
function located(check: CheckResult, file: string): CheckResult {
  return hasPassed(check) || check.defined_at !== undefined ? check : { ...check, defined_at: { file } };
}
