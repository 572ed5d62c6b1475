import { relative } from 'node:path';
import pc from 'picocolors';
import { tiers } from '../orchestrators/case.js';
import type { Orchestrator } from '../orchestrators/orchestrator.js';
import { type CaseResult, resultId } from '../orchestrators/run-case.js';
import { INTERRUPTED, type Job } from '../orchestrators/run-suite.js';
import type { BackendState } from '../orchestrators/stage.js';
import { LiveArea } from '../reporters/live-area.js';
import type { SuiteReport } from '../results/schema.js';

/** Who is told what happens while the suite runs. */
export interface E2eConsole {
  plan(jobs: readonly Job[], states: readonly BackendState[]): void;
  begin(job: Job): void;
  result(result: CaseResult, job: Job): void;
  finish(report: SuiteReport, files: readonly string[]): void;
}

export interface ConsoleOptions {
  version: string;
  stage: string;
  orchestrator: Orchestrator;
  verbose: boolean;
  /** The summary only. */
  quiet: boolean;
  output: NodeJS.WriteStream;
}

const RULE = '━'.repeat(26);
const NAMES = { claude: 'Claude', kiro: 'Kiro', opencode: 'OpenCode' } as const;

/**
 * Results by tier, in the order of the cases whoever ends first; on a terminal, with what runs
 * now below them.
 */
export function e2eConsole(options: ConsoleOptions): E2eConsole {
  const { output, quiet } = options;
  const waiting = new Map<Job, CaseResult>();
  const running = new Map<Job, number>();
  let queue: Job[] = [];
  let total = 0;
  let tier: string | undefined;
  const area = new LiveArea(output, () => [
    ...[...running].map(
      ([job, since]) => `  ⋯ ${resultId(job.case, job.backend)} (${secondsOf(performance.now() - since)})`,
    ),
    `  ${total - queue.length} of ${total}`,
  ]);
  const live = output.isTTY === true && !quiet;
  const print = (line = '') => (live ? area.print(line) : output.write(`${line}\n`));

  const flush = () => {
    for (let job = queue[0]; job !== undefined && waiting.has(job); job = queue[0]) {
      const result = waiting.get(job);
      queue.shift();
      if (result === undefined || quiet || result.reason === INTERRUPTED) continue;
      if (job.case.tier !== tier) {
        tier = job.case.tier;
        print(`\n${pc.bold(`Tier ${tiers.indexOf(job.case.tier) + 1}: ${tier}`)}`);
      }
      for (const line of describeCase(result, options.verbose)) print(line);
    }
  };

  return {
    plan(jobs, states) {
      queue = [...jobs];
      total = jobs.length;
      if (quiet) return;
      for (const line of describeStart(options, jobs.length, states)) print(line);
      if (live) area.start();
    },
    begin(job) {
      running.set(job, performance.now());
    },
    result(result, job) {
      running.delete(job);
      waiting.set(job, result);
      flush();
    },
    finish(report, files) {
      area.stop();
      const lines = [
        ...(quiet ? [] : ['', RULE]),
        describeEnd(report),
        ...(quiet ? [] : describeAnalysis(report)),
        '',
        ...files.map((file) => `Report written to: ${relative(process.cwd(), file)}`),
      ];
      output.write(`${lines.join('\n')}\n`);
    },
  };
}

/** Nothing but the result: for those who read JSON. */
export const silentConsole: E2eConsole = { plan() {}, begin() {}, result() {}, finish() {} };

function describeStart(options: ConsoleOptions, count: number, states: readonly BackendState[]): string[] {
  const { orchestrator, version, stage } = options;
  const tested = orchestrator.kind === 'ralph' ? `ralph ${orchestrator.version}` : 'the reference loop';
  return [
    `🧪 Understudy e2e v${version}`,
    RULE,
    '',
    `Orchestrator: ${tested} ${pc.dim(`(stage ${stage})`)}`,
    ...states.flatMap(({ backend, version: of, available, authenticated, detail }) => [
      `Backend: ${NAMES[backend]}${of === null ? '' : ` (${of})`}`,
      available && authenticated
        ? `Auth: ✅ Authenticated ${pc.dim(`(${detail})`)}`
        : `Auth: ${pc.yellow('⚠️  skipped')}: ${detail}`,
    ]),
    '',
    `Running ${count} scenario${count === 1 ? '' : 's'}…`,
  ];
}

function describeCase(result: CaseResult, verbose: boolean): string[] {
  const { id, status, reason, assertions, baselines, milliseconds } = result;
  const mark = status === 'passed' ? '✅' : status === 'failed' ? '❌' : '⏭️ ';
  const lines = [
    `  ${mark} ${id} ${pc.dim(`(${secondsOf(milliseconds)})`)}${reason === undefined ? '' : ` ${reason}`}`,
  ];
  for (const { name, passed, expected, actual } of assertions) {
    if (!passed) lines.push(`     └─ ${name}: expected ${expected}, got ${actual}`);
    else if (verbose) lines.push(pc.dim(`     ├─ ${name}`));
  }
  for (const { condition, red, green } of baselines) {
    if (!red) lines.push(`     └─ baseline "${condition}" should have failed: ${green.join(', ')}`);
    else if (verbose) lines.push(pc.dim(`     ├─ red without it: ${condition}`));
  }
  if (verbose && result.context !== undefined) lines.push(pc.dim(`     ├─ $ ${result.context.command_line}`));
  return lines;
}

function describeEnd({ verdict, exit_code: code, summary, duration_seconds: seconds, ...report }: SuiteReport): string {
  const sentence = [
    pc.green(`🟢 PASSED: ${verdict}`),
    pc.red(`🔴 FAILED: ${verdict}`),
    pc.red(`🔴 NO VERDICT: ${verdict}`),
  ][code];
  const { passed, failed, skipped } = summary;
  const tested = `${report.orchestrator.kind === 'ralph' ? 'ralph' : 'reference loop'} ${report.ralph_version}`;
  return `${sentence}\n${pc.dim(
    `${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds.toFixed(1)}s (${tested}, stage ${report.stage})`,
  )}`;
}

function describeAnalysis({ meta_analysis: { status, detail, problems } }: SuiteReport): string[] {
  if (status === 'skipped') return [];
  const mark = status === 'merged' ? '🔍' : pc.yellow('⚠️ ');
  return ['', `${mark} Analysis: ${detail}`, ...problems.map((problem) => pc.dim(`   └─ ${problem}`))];
}

function secondsOf(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)}s`;
}
