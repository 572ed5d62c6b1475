import { relative, resolve } from 'node:path';
import {
  asUnderstudyError,
  defined,
  ownProgram,
  paint,
  shellWord,
  startCompiled,
  UnderstudyError,
} from '@understudy/kit';
import { notLive } from '@understudy/model';
import { type CallBudget, compileFilter, planRun, playRun, untilInterrupted, withFolderLock } from '@understudy/runner';
import {
  analyzeRun,
  type Backend,
  backends,
  type CaseStage,
  caseEntries,
  caseIdentities,
  casePlayer,
  findOrchestrator,
  hasScript,
  loadContract,
  type Orchestrator,
  programFile,
  readAnalyzer,
  type StageName,
  suiteCases,
  suiteStage,
  Workspaces,
  workspaceFolders,
} from '@understudy/suites';
import {
  combineReporters,
  type FileReporter,
  fileReporter,
  type ReportFormat,
  type RunResult,
  reportFormats,
} from '@understudy/verdict';
import { chosenIsolation } from './chosen-isolation.js';
import type { Subject } from './e2e-contract.js';
import { refuseIdleFlags } from './idle-flags.js';
import { print, printJson, printNote, printWarning } from './output.js';
import { openReporter, planOptions, playOptions, type RunFlags, writesDocument } from './run-flags.js';
import { version } from './version.js';
import { watchRuns } from './watch-runs.js';

export interface E2eOptions extends RunFlags {
  stage: StageName;
  list?: true;
  ralph?: string;
  loop?: true;
  contract?: string;
  skipBaselines?: true;
  report: ReportFormat | 'both';
  skipAnalysis?: true;
  analyzer?: string;
  record?: true;
  speed?: number;
}

/** Where the recordings of cases are; the prompts of each orchestrator are its own. */
const CASSETTES = 'cassettes/e2e';

/** Runs the suite in the current folder, writes its reports, and gives the exit code. */
export async function runE2e(backend: string, options: E2eOptions): Promise<number> {
  const chosen = backends.filter((name) => backend === 'all' || backend === name);
  if (chosen.length === 0 && options.contract === undefined) throw onlyByContract(backend);
  if (options.list) return listCases(backend, chosen, options);
  return untilInterrupted(async (signal) => {
    if (options.watch !== true) return runOnce(backend, chosen, options, signal);
    const program = await watchedFile(options);
    const analyzer = options.analyzer === undefined ? [] : analyzerFiles(options.analyzer);
    return watchRuns(options, signal, {
      watched: () => ({ parts: new Map([[program, [program, ...analyzer]]]) }),
      run: (_names, flags) => runOnce(backend, chosen, flags, signal),
    });
  });
}

/** The cases of Ralph are for the backends that Ralph has. */
function onlyByContract(backend: string): UnderstudyError {
  return new UnderstudyError('BAD_FLAG', `the suite for Ralph has no backend ${backend}`, {
    fix: `Name one of ${backends.join(', ')}, or test an orchestrator by its contract: \`--contract FILE\`.`,
  });
}

/** Longer than the whole suite takes on scripted models. */
const LONGEST_WAIT_MS = 30 * 60_000;

async function runOnce(
  backend: string,
  chosen: readonly Backend[],
  options: E2eOptions,
  signal: AbortSignal,
): Promise<number> {
  if (options.record === true && hasScript(options.stage)) throw notLive(options.stage);
  // A wrong analyzer is reported now, not after minutes of testing.
  if (options.analyzer !== undefined) readAnalyzer(options.analyzer);
  const workspaces = new Workspaces(process.cwd());
  const subject =
    options.contract === undefined
      ? await suiteSubject(workspaces, chosen, options)
      : await (await import('./e2e-contract.js')).contractSubject(options.contract, backend, options);
  return withFolderLock(workspaces.root, () => runIn(workspaces, subject, options, signal), {
    waitMs: LONGEST_WAIT_MS,
    onWait: (message) => printNote(message),
    interrupted: signal,
  });
}

/** The cases of Ralph, for a Ralph or the reference loop. */
async function suiteSubject(workspaces: Workspaces, chosen: readonly Backend[], options: E2eOptions): Promise<Subject> {
  const orchestrator = await orchestratorOf(options);
  const stage = suiteStage(options.stage, { version, ...defined({ record: options.record, speed: options.speed }) });
  const { isolation } = options;
  const mayRecord = options.stage === 'replay' && options.record === true && process.env['CI'] !== 'true';
  const context = {
    ...{ orchestrator, stage, workspaces, isolation, withBaselines: options.skipBaselines !== true },
    ...(stage.records === true || stage.name === 'replay'
      ? { cassettes: resolve(CASSETTES, orchestrator.kind === 'reference' ? 'loop' : orchestrator.kind) }
      : {}),
    ...(mayRecord ? { recording: suiteStage('live', { version, record: true }) } : {}),
  };
  return {
    entries: caseEntries(suiteCases, chosen, context),
    players: { case: casePlayer(suiteCases, context) },
    states: (agents) => Promise.all(chosen.filter((name) => agents.includes(name)).map((name) => stage.state(name))),
    orchestrator: describeOrchestrator(orchestrator),
    analyze: (run, signal) =>
      analyzeRun(run, {
        ...{ orchestrator, stage: analysisStage(stage), workspaces, backends: chosen, signal },
        analyzer: options.analyzer,
        keepWorkspace: options.keepWorkspace ?? false,
      }),
  };
}

async function runIn(
  workspaces: Workspaces,
  { entries, players, states, orchestrator, analyze }: Subject,
  options: E2eOptions,
  signal: AbortSignal,
): Promise<number> {
  const plan = planRun(entries, planOptions(options));
  refuseIdleFlags(plan.entries, options);
  await chosenIsolation(options.isolation);
  const reports = fileReporter(workspaces.root, options.report === 'both' ? reportFormats : [options.report]);
  const asked = await openReporter(options);
  const run = await playRun(plan, {
    ...playOptions(options),
    run: {
      ...{
        command: 'e2e',
        understudy_version: version,
        ...defined({ strict: options.strict, config: options.configFile }),
      },
      ...{ agents: await states(plan.entries.flatMap(({ agent }) => agent ?? [])), orchestrator },
      environment: { workspace: workspaces.root, env_vars: variablesSet(process.env) },
    },
    ...{ players, store: { output: options.output } },
    openFolder: workspaceFolders(workspaces),
    reporter: (folder) => combineReporters([reports, asked.reporter(folder)]),
    analyze: (concluded, budget) => analyzed(concluded, analyze, options, signal, budget),
    signal,
  });
  showReports(reports, options);
  return asked.exitCode(run);
}

async function analyzed(
  run: RunResult,
  analyze: Subject['analyze'],
  { skipAnalysis, stage }: E2eOptions,
  signal: AbortSignal,
  budget: CallBudget,
): Promise<RunResult> {
  const skipped = (detail: string): RunResult => ({ ...run, analysis: { status: 'skipped', detail, problems: [] } });
  if (skipAnalysis) return skipped('--skip-analysis');
  if (signal.aborted) return skipped('the run was interrupted');
  const refusal = budget.refusal({ agent: 'the analyzer', stage });
  if (refusal !== undefined) return skipped(refusal);
  return analyze === undefined ? skipped('there is no analysis of orchestrators by contract') : analyze(run, signal);
}

/** Where the reports are; one that could not be written goes to stdout, unless the whole result went there as JSON. */
function showReports({ written, unwritten }: FileReporter, options: E2eOptions): void {
  const isJson = writesDocument(options);
  if (!isJson) for (const file of written) print(`report: ${relative('.', file)}`);
  for (const { file, text, error } of unwritten) {
    printWarning(asUnderstudyError(error, file));
    if (!isJson) print(`\n${text}`);
  }
}

/** Variables that decide how agents sign in. */
const SIGN_IN_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'KIRO_API_KEY',
  'OPENAI_API_KEY',
  'OPENCODE_CONFIG',
  'GEMINI_API_KEY',
  'RALPH_BIN',
];

function variablesSet(environment: NodeJS.ProcessEnv): Record<string, boolean> {
  return Object.fromEntries(SIGN_IN_VARIABLES.map((name) => [name, (environment[name] ?? '') !== '']));
}

/** The file whose change starts the next run. */
async function watchedFile(options: E2eOptions): Promise<string> {
  if (options.contract !== undefined) return loadContract(options.contract).folder;
  return programFile(await orchestratorOf(options)) ?? resolve('.');
}

function orchestratorOf(options: E2eOptions): Promise<Orchestrator> {
  return findOrchestrator({
    named: options.ralph,
    loop: options.loop,
    reference: [...startCompiled('loop', () => ownProgram('understudy-loop.cjs')), 'loop'],
    referenceVersion: version,
  });
}

function describeOrchestrator({ kind, version: of, command }: Orchestrator): NonNullable<RunResult['orchestrator']> {
  return { kind, version: of, command: command.map(shellWord).join(' ') };
}

/** A wrong file is watched, too: it will be corrected. */
function analyzerFiles(file: string): string[] {
  try {
    return [file, ...readAnalyzer(file).scenarioFiles].map((path) => resolve(path));
  } catch {
    return [resolve(file)];
  }
}

/** What an agent says about a run is no part of what is recorded. */
function analysisStage(stage: CaseStage): CaseStage {
  if (stage.records === true) return suiteStage('live', { version });
  return stage.name === 'replay' ? suiteStage('scripted', { version }) : stage;
}

async function listCases(
  backend: string,
  chosen: readonly Backend[],
  { grep: filter, json, contract }: E2eOptions,
): Promise<number> {
  const all =
    contract === undefined
      ? caseIdentities(suiteCases, chosen)
      : (await import('./e2e-contract.js')).listContractCases(contract, backend);
  const found = all.filter(compileFilter(filter));
  if (found.length === 0) {
    throw new UnderstudyError('NOTHING_TO_RUN', `no case has ${JSON.stringify(filter)} in its name or tags`, {
      fix: 'Run `understudy e2e --list` without --grep to see all cases.',
    });
  }
  if (json) printJson(found.map(({ id, group, agent, description }) => ({ id, group, agent, description })));
  else {
    let group: string | undefined;
    const cases = new Map(found.map((identity) => [identity.case?.id ?? identity.id, identity]));
    for (const [id, { group: own, description }] of cases) {
      if (own !== undefined && own !== group) print(paint.bold(own));
      group = own;
      print(`  ${id.padEnd(24)} ${paint.dim(description ?? '')}`);
    }
  }
  return 0;
}
