import { availableParallelism, release } from 'node:os';
import pc from 'picocolors';
import { standInCommand } from '../agents/stand-in.js';
import { analyse } from '../diagnosis/analysis/analyse.js';
import { readAnalyzer } from '../diagnosis/analysis/analyzer-config.js';
import { buildReport } from '../diagnosis/build-report.js';
import { type Backend, backends, type StageName, tiers } from '../orchestrators/case.js';
import { liveStage } from '../orchestrators/live-stage.js';
import { findOrchestrator, type Orchestrator } from '../orchestrators/orchestrator.js';
import { suiteCases } from '../orchestrators/ralph/cases/index.js';
import { chooseCases, runSuite } from '../orchestrators/run-suite.js';
import { scriptedStage } from '../orchestrators/scripted-stage.js';
import { simStage } from '../orchestrators/sim-stage.js';
import type { Stage } from '../orchestrators/stage.js';
import { Workspaces } from '../orchestrators/workspace.js';
import { ownProgram } from '../process/own-program.js';
import { clearReports, type ReportFormat, reportFormats, writeReports } from '../reporters/write-report.js';
import { type E2eConsole, e2eConsole, silentConsole } from './e2e-console.js';
import { print, printJson } from './output.js';
import { version } from './version.js';

const INTERRUPTED = 130;

export interface E2eOptions {
  stage: StageName;
  filter?: string;
  list?: true;
  ralph?: string;
  workers?: number;
  keepWorkspace?: true;
  skipBaselines?: true;
  report: ReportFormat | 'both';
  skipAnalysis?: true;
  analyzer?: string;
  verbose?: true;
  quiet?: true;
  json?: true;
}

/** Runs the suite in the current folder, writes its reports, and gives the exit code. */
export async function runE2e(backend: string, options: E2eOptions): Promise<number> {
  const chosen = backends.filter((name) => backend === 'all' || backend === name);
  if (options.list) return listCases(chosen, options);
  // A wrong analyzer is told now, not after minutes of testing.
  if (options.analyzer !== undefined) readAnalyzer(options.analyzer);
  const orchestrator = await findOrchestrator({
    named: options.ralph,
    reference: [...ownProgram('understudy-loop.cjs'), 'loop'],
    referenceVersion: version,
  });
  const told = options.json ? silentConsole : consoleFor(options, orchestrator);
  const interruption = new AbortController();
  const onSignal = () => interruption.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const stage = stageOf(options.stage);
  const workspaces = new Workspaces(process.cwd());
  clearReports(workspaces.root);
  const keepWorkspaces = options.keepWorkspace ?? false;
  const suite = await runSuite({
    cases: suiteCases,
    backends: chosen,
    filter: options.filter,
    workers: options.workers ?? availableParallelism() + 1,
    keepWorkspaces,
    orchestrator,
    stage,
    workspaces,
    withBaselines: options.skipBaselines !== true,
    interrupted: interruption.signal,
    onPlan: told.plan,
    onBegin: told.begin,
    onResult: told.result,
  });
  let report = buildReport({
    suite,
    orchestrator,
    stage: stage.name,
    understudyVersion: version,
    workspaceRoot: workspaces.root,
    keepWorkspaces,
    now: new Date(),
    environment: process.env,
    os: `${process.platform} ${process.arch} ${release()}`,
    node: process.version,
  });
  if (options.skipAnalysis || interruption.signal.aborted) {
    const detail = options.skipAnalysis ? '--skip-analysis' : 'the run was interrupted';
    report = { ...report, meta_analysis: { status: 'skipped', detail, problems: [] } };
  } else {
    report = await analyse(report, {
      orchestrator,
      stage,
      workspaces,
      backends: chosen,
      analyzer: options.analyzer,
      keepWorkspace: keepWorkspaces,
      interrupted: interruption.signal,
    });
  }
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  const formats = options.report === 'both' ? reportFormats : [options.report];
  const files = writeReports(report, workspaces.root, formats);
  if (options.json) printJson(report);
  told.finish(report, files);
  return interruption.signal.aborted ? INTERRUPTED : suite.exitCode;
}

function consoleFor(options: E2eOptions, orchestrator: Orchestrator): E2eConsole {
  return e2eConsole({
    version,
    stage: options.stage,
    orchestrator,
    verbose: options.verbose ?? false,
    quiet: options.quiet ?? false,
    output: process.stdout,
  });
}

function stageOf(name: StageName): Stage {
  if (name === 'live') return liveStage();
  if (name === 'scripted') return scriptedStage(standInCommand('kiro'));
  const standIns = {
    claude: standInCommand('claude'),
    kiro: standInCommand('kiro'),
    opencode: standInCommand('opencode'),
  };
  return simStage(standIns, version);
}

function listCases(chosen: readonly Backend[], { filter, json }: E2eOptions): number {
  const entries = chooseCases(suiteCases, chosen, filter);
  if (json)
    printJson(entries.map(({ case: { id, tier, description }, backend }) => ({ id, tier, backend, description })));
  else {
    for (const [index, tier] of tiers.entries()) {
      const ids = new Map(
        entries.filter((entry) => entry.case.tier === tier).map(({ case: entry }) => [entry.id, entry]),
      );
      if (ids.size > 0) print(pc.bold(`Tier ${index + 1}: ${tier}`));
      for (const { id, description } of ids.values()) print(`  ${id.padEnd(24)} ${pc.dim(description)}`);
    }
  }
  return entries.length === 0 ? 2 : 0;
}
