import type { ReportedContext } from '../results/schema.js';
import type { Assertion } from './assertion.js';
import type { Backend, Baseline, SuiteCase } from './case.js';
import { changesMoreThanScript } from './live-stage.js';
import { runSetup, type SetupContext } from './run-setup.js';
import { type BackendState, backendsOf, type Stage } from './stage.js';

/** What a baseline came to: it is red when the assertions that it is about fail. */
export interface BaselineResult extends Pick<Baseline, 'condition' | 'expectedFailure' | 'whyItMatters'> {
  red: boolean;
  /** Assertions that should have failed and did not. */
  green: readonly string[];
  assertions: readonly Assertion[];
}

/** A case that was run on a backend. */
export interface CaseResult {
  /** The case and its backend: `hat-single@claude`. */
  id: string;
  case: SuiteCase;
  backend: Backend;
  status: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped, or why the harness could not run it. */
  reason?: string;
  /** The harness could not do its job: no verdict on the orchestrator. */
  harnessError?: true;
  assertions: readonly Assertion[];
  baselines: readonly BaselineResult[];
  /** What was seen; absent when it was not run. */
  context?: ReportedContext;
  milliseconds: number;
}

export interface CaseContext extends SetupContext {
  /** Run the baselines too. */
  withBaselines: boolean;
}

/** Runs a case and its baselines on a backend. */
export async function runCase(
  suiteCase: SuiteCase,
  backend: Backend,
  context: CaseContext,
  state?: BackendState,
): Promise<CaseResult> {
  const started = performance.now();
  const id = resultId(suiteCase, backend);
  const base = { id, case: suiteCase, backend };
  const elapsed = () => Math.round(performance.now() - started);
  const missing = await whyNot(suiteCase, backend, context.stage, state);
  if (missing !== undefined) {
    return { ...base, status: 'skipped', reason: missing, assertions: [], baselines: [], milliseconds: elapsed() };
  }
  const { observation, seen } = await runSetup(id, suiteCase.setup(backend, context.stage.name), backend, context);
  const assertions = suiteCase.check(observation, backend);
  const milliseconds = elapsed();
  const baselines: BaselineResult[] = [];
  if (context.withBaselines) {
    for (const [index, baseline] of baselinesOn(context.stage, suiteCase, backend).entries()) {
      baselines.push(await runBaseline(`${id}.red-${index + 1}`, suiteCase, baseline, backend, context));
    }
  }
  // A case without assertions has shown nothing.
  const green = assertions.length > 0 && assertions.every(({ passed }) => passed);
  const passed = green && baselines.every(({ red }) => red);
  return { ...base, status: passed ? 'passed' : 'failed', assertions, baselines, context: seen, milliseconds };
}

/** The case and its backend, unless its name says the backend already. */
export function resultId(suiteCase: SuiteCase, backend: Backend): string {
  return suiteCase.id.startsWith(`${backend}-`) ? suiteCase.id : `${suiteCase.id}@${backend}`;
}

/** Why it has to be skipped, if so. */
async function whyNot(
  suiteCase: SuiteCase,
  backend: Backend,
  stage: Stage,
  known?: BackendState,
): Promise<string | undefined> {
  const { stages = ['sim', 'scripted'] } = suiteCase;
  if (!stages.includes(stage.name)) {
    return stage.name === 'live'
      ? 'its prompt does not tell a real model what to do'
      : `it cannot be played on the stage ${stage.name}`;
  }
  // A hat may need another backend; where a script is played, its stand-in is there.
  const needed = stage.name === 'live' ? backendsOf(backend, suiteCase.setup(backend, stage.name)) : [backend];
  for (const name of needed) {
    const state = known?.backend === name ? known : await stage.state(name);
    if (!state.available || !state.authenticated) return state.detail;
  }
  return undefined;
}

/** On live no script is played: a baseline that changes nothing else shows nothing there. */
function baselinesOn({ name }: Stage, suiteCase: SuiteCase, backend: Backend): readonly Baseline[] {
  if (name !== 'live') return suiteCase.baselines;
  const setup = suiteCase.setup(backend, name);
  return suiteCase.baselines.filter(({ change }) => changesMoreThanScript(setup, change(setup)));
}

async function runBaseline(
  id: string,
  suiteCase: SuiteCase,
  baseline: Baseline,
  backend: Backend,
  context: CaseContext,
): Promise<BaselineResult> {
  const { condition, expectedFailure, whyItMatters } = baseline;
  const { observation } = await runSetup(
    id,
    baseline.change(suiteCase.setup(backend, context.stage.name)),
    backend,
    context,
  );
  const assertions = suiteCase.check(observation, backend);
  const failed = new Set(assertions.flatMap(({ name, passed }) => (passed ? [] : [name])));
  const green = baseline.fails.filter((name) => !failed.has(name));
  context.workspaces.remove(id);
  return { condition, expectedFailure, whyItMatters, red: green.length === 0, green, assertions };
}
