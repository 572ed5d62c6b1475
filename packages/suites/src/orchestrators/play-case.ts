import { join } from 'node:path';
import { CASSETTE_ENDING } from '@understudy/model';
import type { PlayContext, Played } from '@understudy/runner';
import { type Baseline as BaselineSection, type CheckResult, checkScript, checkUnreadable } from '@understudy/verdict';
import { condition, noEscapes, noProcessLeft } from '../ralph/checks/program-checks.js';
import type { Backend, Baseline, CaseSetup, SuiteCase } from './case.js';
import { changesMoreThanScript } from './live-stage.js';
import type { Observation } from './observation.js';
import { runSetup, type SetupContext } from './run-setup.js';
import { type CaseStage, hasScript } from './stage.js';

export interface CaseContext extends SetupContext {
  /** Run the baselines, too. */
  withBaselines: boolean;
  /** The folder of the recordings, on stages that have them. */
  cassettes?: string | undefined;
}

/** A case on a backend, in a workspace of this name. */
export interface PlayedCase {
  suiteCase: SuiteCase;
  backend: Backend;
  workspace: string;
}

/** Runs a case and its baselines on a backend. */
export async function playCase(
  played: PlayedCase,
  context: CaseContext,
  onStep: PlayContext['onStep'] = () => {},
): Promise<Played> {
  const { suiteCase, backend, workspace } = played;
  const baselines = context.withBaselines ? baselinesOn(context.stage, suiteCase, backend) : [];
  const total = 1 + baselines.length;
  onStep(1, total, suiteCase.description);
  const [own, ...others] = cassettesOf(played, baselines.length, context);
  const run = (of: CaseSetup) => runSetup(workspace, of, backend, { ...context, cassette: own });
  let setup = suiteCase.setup(backend, context.stage.name);
  let ran = await run(setup);
  // Elsewhere it costs money, or is recorded.
  const moreTime = () => (hasScript(context.stage.name) ? suiteCase.withMoreTime?.(setup, ran.observation) : undefined);
  for (let more = moreTime(); more !== undefined; more = moreTime()) {
    context.signal?.throwIfAborted();
    setup = more;
    ran = await run(setup);
  }
  const { observation, capture } = ran;
  const seen = capture();
  const checks = checksOf(suiteCase, observation, backend, setup);
  const results: PlayedBaseline[] = [];
  for (const [index, baseline] of baselines.entries()) {
    context.signal?.throwIfAborted();
    onStep(index + 2, total, baseline.condition);
    const variant = { ...played, workspace: `${workspace}.red-${index + 1}` };
    results.push(await playBaseline(baseline, variant, { ...context, cassette: others[index] }));
  }
  return {
    steps: [],
    checks: [...checks, ...results.flatMap(({ check, replay }) => [check, ...replay])],
    baselines: results.map(({ section }) => section),
    context: seen,
    usage: usageOf([observation, ...results.map((result) => result.observation)]),
  };
}

/** The recordings of a case and of its baselines. */
export function cassettesOf(
  { suiteCase, backend }: Pick<PlayedCase, 'suiteCase' | 'backend'>,
  baselines: number,
  { cassettes }: Pick<CaseContext, 'cassettes'>,
): string[] {
  if (cassettes === undefined) return [];
  const variants = ['', ...Array.from({ length: baselines }, (_, index) => `.red-${index + 1}`)];
  return variants.map((variant) => join(cassettes, `${suiteCase.id}@${backend}${variant}${CASSETTE_ENDING}`));
}

/** The checks of a case, and what holds in every case: no process is left, who runs a loop says something, and events are kept. */
export function checksOf(
  { check }: Pick<SuiteCase, 'check'>,
  observed: Observation,
  backend: Backend,
  { steps = [{ run: [] }] }: Pick<CaseSetup, 'steps'>,
): CheckResult[] {
  const own = check(observed, backend);
  const silent = observed.runs.findIndex(
    ({ stdout, stderr, timedOut }, index) =>
      'run' in (steps[index] ?? {}) && !timedOut && `${stdout}${stderr}`.trim() === '',
  );
  return [
    ...own,
    ...noEscapes(observed.escapes ?? []),
    ...checkUnreadable(observed.unreadable?.() ?? []),
    ...replayChecks(observed),
    ...(own.some(({ subject }) => subject.kind === 'processes') ? [] : [noProcessLeft(observed)]),
    condition(
      'every run prints something',
      silent === -1,
      'what happens can be followed on stdout or stderr',
      silent === -1 ? 'it does' : `step ${silent + 1} printed nothing`,
    ),
    condition(
      'every event is in the events file',
      observed.unlogged.length === 0,
      'all that agents published',
      observed.unlogged.length === 0 ? 'all' : `without ${observed.unlogged.join(', ')}`,
    ),
  ];
}

/** What was recorded happens again, as a whole. */
function replayChecks({ replayed }: Observation): CheckResult[] {
  return replayed === undefined ? [] : checkScript(replayed, {}, 'cassette');
}

/** Without a script, a baseline that changes only the script changes nothing there. */
export function baselinesOn({ name }: CaseStage, suiteCase: SuiteCase, backend: Backend): readonly Baseline[] {
  if (hasScript(name)) return suiteCase.baselines;
  const setup = suiteCase.setup(backend, name);
  return suiteCase.baselines.filter(({ change }) => changesMoreThanScript(setup, change(setup)));
}

/** The calls of agents, and what they cost if each of them says it. */
function usageOf(observations: readonly Observation[]): NonNullable<Played['usage']> {
  const calls = observations.flatMap(({ iterations }) => iterations).filter(({ command }) => command.length > 0);
  const costs = calls.map(({ costUsd }) => costUsd);
  if (costs.length === 0 || costs.includes(undefined)) return { calls: calls.length };
  return { calls: calls.length, cost_usd: costs.reduce<number>((total, cost) => total + (cost ?? 0), 0) };
}

interface BaselineResult {
  section: BaselineSection;
  check: CheckResult;
}

interface PlayedBaseline extends BaselineResult {
  observation: Observation;
  /** That it did not go as recorded is no red of a baseline: it is a failure of the case. */
  replay: CheckResult[];
}

async function playBaseline(
  baseline: Baseline,
  { suiteCase, backend, workspace }: PlayedCase,
  context: CaseContext,
): Promise<PlayedBaseline> {
  const setup = baseline.change(suiteCase.setup(backend, context.stage.name));
  const { observation } = await runSetup(workspace, setup, backend, context);
  await context.workspaces.remove(workspace);
  const replay = replayChecks(observation)
    .filter(({ status }) => status !== 'passed')
    .map((check) => ({ ...check, name: `baseline "${baseline.condition}": ${check.name}` }));
  return { ...judgeBaseline(baseline, checksOf(suiteCase, observation, backend, setup)), observation, replay };
}

/** A baseline is red when every check that it is about fails. */
export function judgeBaseline(baseline: Omit<Baseline, 'change'>, checks: readonly CheckResult[]): BaselineResult {
  const { condition, expectedFailure, whyItMatters, fails } = baseline;
  const byName = new Map(checks.map((check) => [check.name, check]));
  const green = fails.flatMap((name) => {
    const { status, actual } = byName.get(name) ?? { status: 'passed' as const, actual: 'there is no such check' };
    return status === 'failed' ? [] : [{ name, status, actual }];
  });
  const stillGreen = green.map(({ name }) => name);
  const red = green.length === 0;
  return {
    section: {
      ...{ condition, expected_failure: expectedFailure, why_it_matters: whyItMatters },
      ...{ red, still_green: stillGreen },
    },
    check: {
      name: `baseline "${condition}" is red`,
      category: 'baseline',
      subject: { kind: 'baseline', condition },
      // A check that could not be made in the variant has not failed there, and has not passed either.
      status: red ? 'passed' : green.every(({ status }) => status === 'unjudged') ? 'unjudged' : 'failed',
      expected: `these fail: ${fails.join('; ')}`,
      actual: red ? 'all of them failed' : `these did not fail: ${stillGreen.join('; ')}`,
      evidence: green.map(({ name, actual }) => `${name}: ${actual}`),
    },
  };
}
