import { cut, paint } from '@understudy/kit';
import { hasPassed } from '../checks/result.js';
import { seconds } from '../results/duration.js';
import { type EntryResult, isRed } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { witnessesText } from '../results/witnesses.js';
import { describeMatrix } from './describe-matrix.js';
import {
  describeArtifacts,
  describeEntry,
  describeFailedList,
  describeFailure,
  describePlayed,
  describeRun,
} from './describe-result.js';
import type { AnnouncedEntry, Reporter, RunStart } from './reporter.js';
import { suiteView } from './suite-view.js';

export interface ListOptions {
  /** The summary alone. */
  quiet?: boolean | undefined;
  /** All checks, also those that passed. */
  verbose?: boolean | undefined;
}

/**
 * A line for each entry as it ends, failures in full, a summary. Entries of a group are printed in the order of
 * the plan, below the title of their group.
 */
export function listReporter(
  print: (line: string) => void,
  { quiet = false, verbose = false }: ListOptions = {},
): Reporter {
  const waiting = new Map<AnnouncedEntry, EntryResult>();
  let queue: AnnouncedEntry[] = [];
  let group: string | undefined;

  const printEntry = (entry: AnnouncedEntry, result: EntryResult) => {
    if (quiet || result.status === 'interrupted') return;
    if (entry.group !== undefined && entry.group !== group) print(`\n${paint.bold(entry.group)}`);
    group = entry.group;
    print(describeEntry(result));
    if (verbose) for (const line of describePassed(result)) print(line);
    if (isRed(result)) print(`${describeFailure(result, { rerun: false })}\n`);
    else if (result.artifacts !== undefined) print(describeArtifacts(result.artifacts));
  };

  return {
    start(run) {
      queue = run.entries.filter((entry) => entry.group !== undefined);
      if (!quiet) for (const line of describeStart(run, verbose)) print(line);
    },
    begin() {},
    step() {},
    end(entry, result) {
      if (entry.group === undefined) return printEntry(entry, result);
      waiting.set(entry, result);
      for (let first = queue[0]; first !== undefined; first = queue[0]) {
        const ended = waiting.get(first);
        if (ended === undefined) return;
        queue.shift();
        printEntry(first, ended);
      }
    },
    finish(run) {
      if (!quiet) for (const line of [...describeFailedList(run), ...describeMatrix(run)]) print(line);
      print(`\n${describeRun(run)}`);
      if (!quiet) for (const line of describeSlowest(run)) print(line);
      for (const line of describeVerdict(run)) print(line);
    },
  };
}

function describeStart(start: RunStart, verbose: boolean): string[] {
  const { orchestrator, agents = [], entries } = start;
  const around = describePlayed(start, verbose);
  if (orchestrator === undefined) return around;
  const tested = suiteView().names(orchestrator).short;
  return [
    ...around,
    `${entries.length} ${entries.length === 1 ? 'case' : 'cases'} for ${paint.bold(tested)} on stage ${entries[0]?.stage}`,
    ...agents.map(({ agent, version, available, authenticated, detail }) => {
      const usable = available && authenticated;
      return `  ${usable ? paint.green('✓') : paint.yellow('–')} ${agent}${version === null ? '' : ` ${version}`} ${paint.dim(detail)}`;
    }),
  ];
}

/** Of a run of some length, what one would look at to make it shorter. */
const LONG_RUN_MS = 30_000;
const SLOWEST = 3;

function describeSlowest({ entries, duration_ms: duration }: RunResult): string[] {
  if (duration < LONG_RUN_MS || entries.length <= SLOWEST) return [];
  const slowest = entries.toSorted((one, other) => other.duration_ms - one.duration_ms).slice(0, SLOWEST);
  const named = slowest.map(({ name, duration_ms: own }) => `${cut(name, 80)} ${seconds(own)}`);
  return [paint.dim(`slowest: ${named.join(', ')}`)];
}

function describeVerdict({ command, strict, verdict, exit_code: code, analysis }: RunResult): string[] {
  // The counts of rehearsals say it all, unless a rule was added.
  if (command !== 'e2e' && strict !== true) return [];
  const word = code === 0 ? paint.green('PASSED') : code === 1 ? paint.red('FAILED') : paint.red('NO VERDICT');
  if (analysis === undefined || analysis.status === 'skipped') return [`${word}: ${verdict}`];
  return [
    `${word}: ${verdict}`,
    `analysis by an agent: ${analysis.detail}`,
    ...analysis.problems.map((problem) => paint.dim(`  ${problem}`)),
  ];
}

function describePassed(result: EntryResult): string[] {
  const ofWhole = result.checks.filter(hasPassed).map(({ name }) => `    ✓ ${name}`);
  const ofSteps = result.steps.flatMap(({ number, name, checks }) => {
    const where = `step ${number}${name === undefined ? '' : ` (${name})`}`;
    return checks.filter(hasPassed).map((check) => `    ✓ ${where}: ${check.name}`);
  });
  const by = result.witnesses === undefined ? [] : [`    ${witnessesText(result.witnesses)}`];
  return [...ofSteps, ...ofWhole, ...by].map((line) => paint.dim(line));
}
