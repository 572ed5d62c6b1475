import { join, resolve } from 'node:path';
import type { Stage } from '@understudy/agents';
import { createScratch, defined, type Environment, UnderstudyError } from '@understudy/kit';
import { type ProjectDescription, prepareProject } from '@understudy/runner';
import { type CallState, type ConversationOptions, scenarioOf, textOfCall } from '@understudy/stage';
import { type CheckResult, checkScript, checkUnreadable, hasPassed, type SeenCall } from '@understudy/verdict';
import { judgeRun, type PlacedRun } from './judge-run.js';
import type { Judging } from './judge-turn.js';
import { type GivenChecks, loadChecks, type OwnCheckList } from './own-checks.js';
import { PlacedAgents, type PlacedOptions, type ProgramCommand } from './placed-agents.js';
import { readably } from './readable-error.js';
import type { Verdict } from './verdict.js';

export interface RunProgramOptions {
  /** The agents that the program finds on its PATH: `["claude"]` by default. */
  agents?: readonly string[];
  /** Where it is played; by default `scripted`. */
  stage?: Stage;
  /** What the model says: a file, or the document itself. */
  scenario: NonNullable<ConversationOptions['scenario']>;
  /** A project of its own, as in a rehearsal: its files and commits are looked at. It goes when the program has ended. */
  project?: ProjectDescription;
  /** The folder in which it runs, where it has no `project`; by default the current one. */
  cwd?: string;
  stdin?: string;
  /** More variables. */
  env?: Environment;
  timeoutMs?: number;
  /** Ends the program. */
  signal?: AbortSignal;
  /** Whose turns and counts the calls have: one for the whole run, or each session its own. */
  state?: CallState;
  /** Checks of your own, each by its prefix: a module by its path, or what it exports. */
  checks?: GivenChecks;
  /** Rules that no call reached, and requests that no rule answered, are no failures. */
  allowUnused?: boolean;
  allowUnanswered?: boolean;
}

interface Held {
  run: PlacedRun;
  /** What of the script was not followed. */
  script: readonly CheckResult[];
  own: OwnCheckList;
}

const kept = new WeakMap<ProgramResult, Held>();

/** What a program did, and the agents that it called. */
export class ProgramResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
  readonly timedOut: boolean;
  readonly calls: readonly SeenCall[];

  /** @internal */
  constructor(held: Held) {
    const { run } = held;
    const {
      code = null,
      signal = null,
      stdout = '',
      stderr = '',
      milliseconds = 0,
      timedOut = false,
    } = run.ended ?? {};
    [this.code, this.signal, this.stdout, this.stderr] = [code, signal, stdout, stderr];
    [this.milliseconds, this.timedOut] = [milliseconds, timedOut];
    this.calls = run.calls.map((call) => {
      const { number, agent, prompt, events } = call;
      return { number, agent, prompt, text: textOfCall(call), events, ...defined({ code: call.code }) };
    });
    kept.set(this, held);
  }
}

/** Runs a program to its end, with scripted agents in place. A list is a program and its arguments; a text is a line for the shell. */
export function runProgram(command: string | readonly string[], options: RunProgramOptions): Promise<ProgramResult> {
  return readably(() => run(command, options));
}

async function run(command: string | readonly string[], options: RunProgramOptions): Promise<ProgramResult> {
  const scratch = createScratch('program');
  try {
    const environment = defined({ ...process.env }) as Environment;
    return await runPlaced(command, options, {
      from: process.cwd(),
      cwd: process.cwd(),
      folder: scratch.path,
      environment,
    });
  } finally {
    await scratch.remove();
  }
}

/** Where a program is run, whatever its test says. */
export interface ProgramPlace extends Pick<PlacedOptions, 'folder' | 'home' | 'environment'> {
  /** What paths of the test are relative to. */
  from: string;
  /** What `cwd` is relative to. */
  cwd: string;
  /** What keeps it apart from this machine, beside the folder in which it runs. */
  isolation?: PlacedOptions['isolation'];
  /** Its folder is looked at, also where it is not a project of its own. */
  watched?: Pick<ProgramCommand, 'artifacts' | 'number'>;
}

/** The same in a place of the caller. */
export async function runPlaced(
  command: string | readonly string[],
  options: RunProgramOptions,
  place: ProgramPlace,
): Promise<ProgramResult> {
  const { agents = ['claude'], stage = 'scripted', scenario: given, project, allowUnused, allowUnanswered } = options;
  const { stdin, env, timeoutMs, state, signal: interrupted, checks = {} } = options;
  const { from, folder, home, environment, watched } = place;
  const own = loadChecks(checks, from);
  const cwd = project === undefined ? resolve(place.cwd, options.cwd ?? '.') : join(folder, 'project');
  if (project !== undefined) await prepareProject(project, cwd, from);
  const isolation = place.isolation && { ...place.isolation, writable: [...place.isolation.writable, cwd, folder] };
  const placed = await PlacedAgents.start({
    ...{ agents, stage, home, folder: join(folder, 'agents') },
    ...defined({ environment, isolation }),
    scenario: scenarioOf({ scenario: typeof given === 'string' ? resolve(from, given) : given }),
  });
  try {
    const how = { stdin, env, timeoutMs, state, interrupted, ...watched };
    const seen = await placed.run({ command, cwd, watched: project !== undefined || watched !== undefined, ...how });
    const usage = placed.usage();
    const script = usage === undefined ? [] : checkScript(usage, { unused: allowUnused, unanswered: allowUnanswered });
    const unreadable = checkUnreadable(placed.unreadable);
    return new ProgramResult({
      run: seen,
      script: [...script, ...unreadable].filter((check) => !hasPassed(check)),
      own,
    });
  } finally {
    await placed.close();
  }
}

/** What is known of a run of a program, and what of its script was not followed. */
export function heldBy(result: ProgramResult): Held {
  const held = kept.get(result);
  if (held !== undefined) return held;
  throw new UnderstudyError('NOT_A_TURN', 'this is no run of a program', {
    fix: 'Give it what `await runProgram([…])` resolves to; for a turn of a conversation there is expectTurn.',
  });
}

/** Holds a program against what is expected of it; that it followed its script always is. */
export function judgeProgram(result: ProgramResult, given: unknown, judging: Judging = {}): Verdict {
  const held = heldBy(result);
  const own = [...held.own, ...(judging.own ?? [])];
  return judgeRun(held.run, given, { ...judging, own }, held.script);
}
