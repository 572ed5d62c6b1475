import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { defined, redactAll, redactor, shellWord, UntrustedFolder } from '@understudy/kit';
import type { PlayContext, Played } from '@understudy/runner';
import { checkUnreadable } from '@understudy/verdict';
import { noEscapes } from '../../ralph/checks/program-checks.js';
import { cut, listFiles } from '../context.js';
import type { ProgramContext, ProgramIteration } from '../context-schema.js';
import { judgeBaseline } from '../play-case.js';
import { alwaysChecks } from './contract-checks.js';
import type { GenericCase, GenericSetup, SeenRun } from './generic-case.js';
import type { Contract } from './load-contract.js';
import { type PlanContext, runPlan } from './run-plan.js';

export interface GenericContext extends PlanContext {
  withBaselines: boolean;
}

/** Plays a generic case and its baselines. */
export async function playGenericCase(
  played: GenericCase,
  context: GenericContext,
  onStep: PlayContext['onStep'] = () => {},
): Promise<Played> {
  const baselines = context.withBaselines ? played.baselines : [];
  const total = 1 + baselines.length;
  onStep(1, total, played.description);
  // What an earlier run of the suite kept.
  rmSync(context.folder, { recursive: true, force: true });
  const runs = await runSetup(played.setup, context);
  const results = [];
  for (const [index, baseline] of baselines.entries()) {
    context.signal?.throwIfAborted();
    onStep(index + 2, total, baseline.condition);
    const folder = join(context.folder, `.red-${index + 1}`);
    const seen = await runSetup(baseline.change(played.setup), { ...context, folder });
    rmSync(folder, { recursive: true, force: true });
    results.push(judgeBaseline(baseline, checksOf(played, seen, context)));
  }
  return {
    steps: [],
    checks: [...checksOf(played, runs, context), ...results.map(({ check }) => check)],
    baselines: results.map(({ section }) => section),
    context: contextOf(played, runs, context),
  };
}

function checksOf(played: GenericCase, runs: readonly SeenRun[], { agent }: GenericContext) {
  return [
    ...played.check(runs, agent),
    ...alwaysChecks(runs),
    ...noEscapes(runs.flatMap(({ escapes = [] }) => escapes)),
    ...checkUnreadable(runs.flatMap(({ unreadable = [] }) => unreadable)),
  ];
}

async function runSetup(setup: GenericSetup, context: GenericContext): Promise<SeenRun[]> {
  const redact = redactor(process.env);
  const start = (index: number) => {
    const plan = setup.runs[index];
    return plan === undefined ? [] : [runPlan(plan, setup, index + 1, context)];
  };
  if (setup.together === true)
    return redactAll(await Promise.all(setup.runs.flatMap((_, index) => start(index))), redact);
  const seen: SeenRun[] = [];
  for (const index of setup.runs.keys()) {
    const last = seen.at(-1);
    if (last?.timedOut === true || context.signal?.aborted === true) break;
    seen.push(...(await Promise.all(start(index))));
  }
  return redactAll(seen, redact);
}

/** What helps to understand what happened: each call of an agent is an iteration. */
function contextOf(
  played: GenericCase,
  runs: readonly SeenRun[],
  { contract, folder }: GenericContext,
): ProgramContext {
  const last = runs.at(-1);
  const iterations = runs.flatMap(({ calls }) => calls).map(toIteration(contract));
  return {
    config_yaml: '',
    contract: cut(contract.text),
    prompt_content: played.setup.prompt,
    command_line: runs.map(({ command }) => command.map(shellWord).join(' ')).join('\n'),
    exit_code: last?.code ?? null,
    timed_out: runs.some(({ timedOut }) => timedOut),
    duration_ms: runs.reduce((total, { milliseconds }) => total + milliseconds, 0),
    stdout: cut(runs.map(({ stdout }) => stdout).join('\n')),
    stderr: cut(runs.map(({ stderr }) => stderr).join('\n')),
    events_emitted: [],
    iterations,
    iterations_completed: iterations.filter(({ duration_ms }) => duration_ms !== undefined).length,
    workspace_files: listFiles(new UntrustedFolder(folder), redactor(process.env)),
    ...defined({ termination_reason: last?.state }),
  };
}

/** A request of the program itself has no exit code: an answered one counts as 0. */
function exitCodeOf({ pid, code, events }: SeenRun['calls'][number]): number | null | undefined {
  if (pid !== undefined) return code;
  return events.some((event) => event.type === 'turn_ended' && event.outcome === 'completed') ? 0 : 1;
}

function toIteration({ promise }: Contract) {
  return (call: SeenRun['calls'][number], index: number): ProgramIteration => {
    const { agent, command, prompt, stdout = '', stderr, startedAt, endedAt, events } = call;
    const code = exitCodeOf(call);
    const said = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('\n');
    return {
      iteration: index + 1,
      backend: agent,
      command: cut(command.map(shellWord).join(' ')),
      prompt: cut(prompt),
      output: cut(said || stdout),
      ...defined({ stderr: stderr === undefined ? undefined : cut(stderr) }),
      // Killed is not running: only a call without an end has none.
      ...(endedAt === undefined ? {} : { exit_code: code ?? null, duration_ms: Math.round(endedAt - startedAt) }),
      failed: code !== 0,
      events_given: [],
      events_written: [],
      promised: said.trimEnd().endsWith(promise),
    };
  };
}
