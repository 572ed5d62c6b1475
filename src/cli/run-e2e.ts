import pc from 'picocolors';
import { standInCommand } from '../agents/stand-in.js';
import { type Backend, backends, type StageName, tiers } from '../suite/case.js';
import { suiteCases } from '../suite/cases/index.js';
import { findOrchestrator, type Orchestrator } from '../suite/orchestrator.js';
import type { CaseResult } from '../suite/run-case.js';
import { chooseCases, runSuite, type SuiteResult } from '../suite/run-suite.js';
import { scriptedStage } from '../suite/scripted-stage.js';
import { simStage } from '../suite/sim-stage.js';
import { Workspaces } from '../suite/workspace.js';
import { print, printJson } from './output.js';
import { version } from './version.js';

export interface E2eOptions {
  stage: StageName;
  filter?: string;
  list?: true;
  ralph?: string;
  workers: number;
  keepWorkspace?: true;
  skipBaselines?: true;
  verbose?: true;
  quiet?: true;
  json?: true;
}

/** Runs the suite in the current folder, and gives the exit code. */
export async function runE2e(backend: string, options: E2eOptions): Promise<number> {
  const chosen = backends.filter((name) => backend === 'all' || backend === name);
  if (options.list) return listCases(chosen, options);
  const program = process.argv[1] ?? '';
  const orchestrator = await findOrchestrator({
    named: options.ralph,
    reference: [process.execPath, program, 'loop'],
    referenceVersion: version,
  });
  const result = await runSuite({
    cases: suiteCases,
    backends: chosen,
    filter: options.filter,
    workers: options.workers,
    keepWorkspaces: options.keepWorkspace ?? false,
    orchestrator,
    stage:
      options.stage === 'scripted'
        ? scriptedStage(standInCommand('kiro'))
        : simStage({
            claude: standInCommand('claude'),
            kiro: standInCommand('kiro'),
            opencode: standInCommand('opencode'),
          }),
    workspaces: new Workspaces(process.cwd()),
    withBaselines: options.skipBaselines !== true,
    onResult: (entry) => {
      if (!options.json && !options.quiet) printCase(entry, options.verbose ?? false);
    },
  });
  if (options.json) printJson(toJson(result, orchestrator));
  else printSummary(result, orchestrator, options.stage);
  return result.exitCode;
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

function printCase({ id, status, reason, assertions, baselines, milliseconds }: CaseResult, verbose: boolean): void {
  const mark = status === 'passed' ? pc.green('✓') : status === 'failed' ? pc.red('✗') : pc.yellow('–');
  print(`${mark} ${id} ${pc.dim(`(${(milliseconds / 1000).toFixed(1)}s)`)}${reason === undefined ? '' : ` ${reason}`}`);
  for (const { name, passed, expected, actual } of assertions) {
    if (!passed) print(`   └─ ${name}: expected ${expected}, got ${actual}`);
    else if (verbose) print(pc.dim(`   ├─ ${name}`));
  }
  for (const { condition, red, green } of baselines) {
    if (!red) print(`   └─ baseline "${condition}" should have failed: ${green.join(', ')}`);
    else if (verbose) print(pc.dim(`   ├─ red without it: ${condition}`));
  }
}

function printSummary(
  { passed, failed, skipped, exitCode, milliseconds }: SuiteResult,
  { kind, version: of }: Orchestrator,
  stage: string,
): void {
  const verdict = exitCode === 0 ? pc.green('PASSED') : exitCode === 1 ? pc.red('FAILED') : pc.red('NO VERDICT');
  print(
    `\n${verdict}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${(milliseconds / 1000).toFixed(1)}s ` +
      `(${kind === 'ralph' ? `ralph ${of}` : `reference loop ${of}`}, stage ${stage})`,
  );
}

function toJson({ results, ...summary }: SuiteResult, orchestrator: Orchestrator): unknown {
  return {
    ...summary,
    orchestrator: { kind: orchestrator.kind, version: orchestrator.version },
    results: results.map(({ case: { id: caseId, tier, description }, setup: _, observation, ...result }) => ({
      ...result,
      caseId,
      tier,
      description,
      iterations: observation?.iterations.length,
      termination: observation?.termination,
      events: observation?.events,
    })),
  };
}
