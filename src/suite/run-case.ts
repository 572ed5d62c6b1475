import type { Assertion } from './assertion.js';
import type { Backend, Baseline, CaseSetup, SuiteCase } from './case.js';
import { execute } from './execute.js';
import { type Observation, observe, type StepRun } from './observation.js';
import { argumentsOf, type Orchestrator } from './orchestrator.js';
import type { Stage } from './stage.js';
import type { Workspaces } from './workspace.js';

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
  observation?: Observation;
  setup?: CaseSetup;
  milliseconds: number;
}

export interface CaseContext {
  orchestrator: Orchestrator;
  stage: Stage;
  workspaces: Workspaces;
  /** Run the baselines too. */
  withBaselines: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** A real CLI takes seconds where a stand-in takes a tenth of one. */
const REAL_CLI_PATIENCE = 6;

/** Runs a case and its baselines on a backend. */
export async function runCase(suiteCase: SuiteCase, backend: Backend, context: CaseContext): Promise<CaseResult> {
  const started = performance.now();
  const id = suiteCase.id.startsWith(`${backend}-`) ? suiteCase.id : `${suiteCase.id}@${backend}`;
  const base = { id, case: suiteCase, backend };
  const elapsed = () => Math.round(performance.now() - started);
  const { stage } = context;
  const missing =
    suiteCase.stages?.includes(stage.name) === false
      ? `it cannot be played on the stage ${stage.name}`
      : await stage.unavailable(backend);
  if (missing !== undefined) {
    return { ...base, status: 'skipped', reason: missing, assertions: [], baselines: [], milliseconds: elapsed() };
  }
  const setup = suiteCase.setup(backend);
  const observation = await runSetup(id, setup, backend, context);
  const assertions = suiteCase.check(observation, backend);
  const milliseconds = elapsed();
  const baselines: BaselineResult[] = [];
  if (context.withBaselines) {
    for (const [index, baseline] of suiteCase.baselines.entries()) {
      baselines.push(await runBaseline(`${id}.red-${index + 1}`, suiteCase, baseline, backend, context));
    }
  }
  // A case without assertions has shown nothing.
  const green = assertions.length > 0 && assertions.every(({ passed }) => passed);
  const passed = green && baselines.every(({ red }) => red);
  return { ...base, status: passed ? 'passed' : 'failed', assertions, baselines, observation, setup, milliseconds };
}

async function runBaseline(
  id: string,
  suiteCase: SuiteCase,
  baseline: Baseline,
  backend: Backend,
  context: CaseContext,
): Promise<BaselineResult> {
  const { condition, expectedFailure, whyItMatters } = baseline;
  const observation = await runSetup(id, baseline.change(suiteCase.setup(backend)), backend, context);
  const assertions = suiteCase.check(observation, backend);
  const failed = new Set(assertions.flatMap(({ name, passed }) => (passed ? [] : [name])));
  const green = baseline.fails.filter((name) => !failed.has(name));
  context.workspaces.remove(id);
  return { condition, expectedFailure, whyItMatters, red: green.length === 0, green, assertions };
}

async function runSetup(id: string, setup: CaseSetup, backend: Backend, context: CaseContext): Promise<Observation> {
  const workspace = context.workspaces.create(id, setup, backend);
  const { env, close } = await context.stage.prepare(workspace, setup);
  const patience = context.stage.name === 'scripted' ? REAL_CLI_PATIENCE : 1;
  const deadline = performance.now() + (setup.timeoutMs ?? DEFAULT_TIMEOUT_MS) * patience;
  const runs: StepRun[] = [];
  try {
    for (const step of setup.steps ?? [{ run: [] }]) {
      const command = [...context.orchestrator.command, ...argumentsOf(step)];
      const run = await execute({ command, cwd: workspace, env, timeoutMs: Math.max(1, deadline - performance.now()) });
      runs.push(run);
      if (run.timedOut) break;
    }
  } finally {
    await close();
  }
  return observe(workspace, runs);
}
