import type { RunResult } from '@understudy/verdict';
import { parseEvents } from '../../ralph/loop/events.js';
import { type Backend, backends, type CaseSetup } from '../case.js';
import type { IterationFacts } from '../observation.js';
import { runSetup, type SetupContext } from '../run-setup.js';
import { backendsOf } from '../stage.js';
import { analysisPrompt } from './analysis-prompt.js';
import type { Analyzer } from './analyzer-config.js';
import { ANSWER_TOPIC } from './answer-schema.js';
import type { Problems } from './problems.js';

/** The analyzer's workspace, beside those of the cases. */
export const WORKSPACE = 'analysis';

const DEADLINE_MS = 100_000;

/**
 * Claude reads its prompt from stdin. The others get it as an argument, which Linux limits to 128 KiB,
 * and the loop puts the objective into it twice: once as such, once as the first event's payload.
 */
const MOST_BYTES: Readonly<Record<Backend, number>> = { claude: 100_000, kiro: 50_000, opencode: 50_000 };

/** The payload of the answer, or why there is none. */
export type AnalyzerAnswer = { payload: string } | { failed: string } | { skipped: string };

export interface AskOptions extends SetupContext {
  analyzer: Analyzer;
  /** The backends of the run; the first that can be used answers, unless the analyzer names its own. */
  backends: readonly Backend[];
  timeoutMs?: number | undefined;
}

/** Runs the analyzer on a run's results. The answer is in its events file, not in what it prints. */
export async function askAnalyzer(run: RunResult, options: AskOptions, problems: Problems): Promise<AnalyzerAnswer> {
  const { analyzer, stage, timeoutMs = DEADLINE_MS } = options;
  if (stage.name !== 'live' && analyzer.scenario === undefined) return { skipped: noModelReason(options) };
  const chosen = await chooseBackend(options);
  if ('skipped' in chosen) return chosen;
  const { config, scenario = {} } = analyzer;
  const bare: CaseSetup = { config, prompt: '', scenario, steps: [{ run: ['-P', 'PROMPT.md'] }], timeoutMs };
  const mostBytes = Math.min(...backendsOf(chosen.backend, bare).map((backend) => MOST_BYTES[backend]));
  const setup = { ...bare, prompt: analysisPrompt(run, mostBytes) };
  const { observation } = await runSetup(WORKSPACE, setup, chosen.backend, options);
  const { events, iterations, last, timedOut, leftovers } = observation;
  if (leftovers.length > 0) problems.add(`the analyzer left processes behind: ${leftovers.join(', ')}`);
  const answers = events.filter(({ topic }) => topic === ANSWER_TOPIC);
  if (answers.length > 1) problems.add(`there were ${answers.length} answers; the last one is used`);
  const answer = answers.at(-1);
  if (timedOut && answer !== undefined) problems.add('the analyzer did not end in time and was stopped');
  if (answer !== undefined) return { payload: wholePayload(answer.payload, iterations) };
  if (timedOut) return { failed: 'the analyzer did not answer in time and was stopped' };
  if (options.signal?.aborted === true) return { failed: 'it was interrupted before the analyzer answered' };
  const ending = `the orchestrator ended with ${last?.code ?? last?.signal ?? 'nothing'}`;
  return { failed: `the analyzer did not publish ${ANSWER_TOPIC}; ${ending}${lastWords(last?.stderr)}` };
}

/** Ralph's log keeps only the beginning of a long payload. The record of what the agent said has all of it. */
function wholePayload(payload: string, iterations: readonly IterationFacts[]): string {
  const [, beginning] = /^([\s\S]*)\.\.\. \[truncated, \d+ chars total\]$/.exec(payload) ?? [];
  if (beginning === undefined) return payload;
  const said = iterations.flatMap(({ output = '' }) => parseEvents(output));
  const whole = said.findLast((event) => event.topic === ANSWER_TOPIC && event.payload.startsWith(beginning));
  return whole?.payload ?? payload;
}

function noModelReason({ stage, analyzer: { scenarioFiles } }: AskOptions): string {
  const why = `there is no real model on the stage ${stage.name}, and no scenario with its answer`;
  return scenarioFiles.length === 0
    ? `${why}; use the stage live, or --analyzer with a scenario beside its file`
    : `${why}; write ${scenarioFiles.join(' or ')}, or use the stage live`;
}

async function chooseBackend({
  analyzer: { config },
  stage,
  backends: tested,
}: AskOptions): Promise<{ backend: Backend } | { skipped: string }> {
  const named = config.cli?.backend;
  const own = backends.find((backend) => backend === named);
  if (named !== undefined && own === undefined)
    return { skipped: `the analyzer's backend is ${named}; the suite can start ${backends.join(', ')}` };
  const reasons: string[] = [];
  for (const backend of own === undefined ? tested : [own]) {
    const { available, authenticated, detail } = await stage.state(backend);
    if (available && authenticated) return { backend };
    reasons.push(`${backend}: ${detail}`);
  }
  return { skipped: `no backend can be asked (${reasons.join('; ')})` };
}

function lastWords(stderr: string | undefined): string {
  const line = stderr
    ?.split('\n')
    .map((text) => text.trim())
    .findLast((text) => text !== '');
  return line === undefined ? '' : `: ${line}`;
}
