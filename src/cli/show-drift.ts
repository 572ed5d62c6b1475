import { availableParallelism } from 'node:os';
import { addAgent, type FoundAgent, findAgent, parseAgentSpec, standInCommand } from '@understudy/agents';
import { UnderstudyError, writeWhole } from '@understudy/kit';
import { untilInterrupted } from '@understudy/runner';
import {
  AcceptedDifferences,
  areaOf,
  type Comparison,
  DRIFT_INPUTS,
  driftMarkdown,
  findDrift,
  observe,
  PROBES,
  type Progress,
  type Side,
} from '@understudy/suites';
import { LiveArea } from '@understudy/verdict';
import { EXIT_FAILED, EXIT_HARNESS_ERROR } from './main.js';
import { print, printNote } from './output.js';

const STAND_IN = 'stand-in';

export interface DriftOptions {
  agent?: string[];
  standIn?: true;
  grep?: string[];
  workers?: number;
  reporter: string;
  list?: true;
}

/** Compares versions, writes the report, and gives the exit code. */
export async function showDrift(options: DriftOptions): Promise<number> {
  const report = reportOf(options.reporter);
  const chosen = <Named extends { name: string }>(cases: readonly Named[]): Named[] =>
    cases.filter(({ name }) => options.grep?.some((text) => name.includes(text)) ?? true);
  const [probes, cases] = [chosen(PROBES), chosen(DRIFT_INPUTS)];
  const total = probes.length + cases.length;
  if (options.list === true) {
    for (const { name } of [...probes, ...cases]) print(name);
    return 0;
  }
  if (total === 0) throw new UnderstudyError('DRIFT_NO_CASES', `no input is named like ${options.grep?.join(', ')}`);
  const specs = [...(options.agent ?? []), ...(options.standIn === true ? [STAND_IN] : [])];
  if (specs.length < 2) throw new UnderstudyError('DRIFT_TOO_FEW_AGENTS', 'there are no two programs to compare');
  for (const spec of specs) refuseOtherThanClaude(spec);
  return untilInterrupted(async (signal) => {
    const sides: Side[] = [];
    for (const spec of specs) sides.push(await sideOf(spec, signal));
    const workers = options.workers ?? availableParallelism();
    printNote(`${sides.map(({ name }) => name).join(' → ')}: ${total} inputs, ${workers} at the same time`);
    let progress: Progress | undefined;
    const area = new LiveArea(process.stderr, () => (progress === undefined ? [] : [describeProgress(progress)]));
    if (process.stderr.isTTY) area.start();
    try {
      const comparisons = await findDrift({
        ...{ sides, cases, probes, signal },
        accepted: new AcceptedDifferences(),
        play: (program, test) => observe(program, test, { signal }),
        workers,
        onProgress: (now) => {
          const isNews = now.done !== progress?.done && now.done % PROGRESS_EVERY === 0;
          progress = now;
          if (isNews && !process.stderr.isTTY) printNote(describeProgress(now));
        },
      });
      area.stop();
      write(comparisons, report);
      return exitCodeOf(comparisons);
    } finally {
      area.stop();
    }
  });
}

/** Where nothing can be drawn again and again, a line after so many inputs. */
const PROGRESS_EVERY = 10;

function describeProgress({ done, total, again, name }: Progress): string {
  return `${done} of ${total} inputs ${again ? 'played again' : 'played'}: ${name}`;
}

function refuseOtherThanClaude(spec: string): void {
  if (spec === STAND_IN || parseAgentSpec(spec).agent === 'claude') return;
  throw new UnderstudyError('DRIFT_AGENT_UNSUPPORTED', `there are no inputs for ${spec}`);
}

async function sideOf(spec: string, interrupted: AbortSignal): Promise<Side> {
  if (spec === STAND_IN) return { name: STAND_IN, version: '', kind: 'stand-in', command: standInCommand('claude') };
  const { agent, version, command } = await foundOrFetched(spec, interrupted);
  return { name: `${agent}@${version}`, version, kind: 'real', command };
}

/** A version or tag that is not on this machine is fetched from npm. */
async function foundOrFetched(spec: string, interrupted: AbortSignal): Promise<FoundAgent> {
  try {
    return await findAgent(spec);
  } catch (error) {
    if (!(error instanceof UnderstudyError) || error.code !== 'AGENT_NOT_FOUND') throw error;
    printNote(`fetching ${spec} from npm`);
    return addAgent(spec, { interrupted });
  }
}

interface Report {
  name: 'markdown' | 'json';
  /** Absent: the standard output. */
  file?: string | undefined;
}

function reportOf(text: string): Report {
  const [, name, file] = /^(markdown|json)(?:=(.+))?$/.exec(text) ?? [];
  if (name !== undefined) return { name: name as Report['name'], file };
  throw new UnderstudyError('BAD_FLAG', `--reporter ${JSON.stringify(text)} is no report of drift`, {
    fix: 'Write markdown or json, with a file after = if it is to be kept: --reporter json=drift.json.',
  });
}

function write(comparisons: readonly Comparison[], { name: format, file: output }: Report): void {
  const text =
    format === 'json'
      ? `${JSON.stringify({ comparisons: withAreas(comparisons) }, null, 2)}\n`
      : driftMarkdown(comparisons);
  if (output === undefined) print(text.trimEnd());
  else {
    writeWhole(output, text);
    const found = comparisons.map(({ before, after, changes }) => `${before} → ${after}: ${changes.length} changes`);
    print(`${found.join('\n')}\nreport: ${output}`);
  }
}

function withAreas(comparisons: readonly Comparison[]): object[] {
  return comparisons.map(({ changes, ...rest }) => ({
    ...rest,
    changes: changes.map((change) => ({ area: areaOf(change), ...change })),
  }));
}

function exitCodeOf(comparisons: readonly Comparison[]): number {
  if (comparisons.some(({ changes }) => changes.length > 0)) return EXIT_FAILED;
  return comparisons.some(({ unjudged }) => unjudged.length > 0) ? EXIT_HARNESS_ERROR : 0;
}
