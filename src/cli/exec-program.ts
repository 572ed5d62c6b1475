import { constants } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { type EventBody, runAttached } from '@understudy/agents';
import {
  countOf,
  createScratch,
  defined,
  describeUnreadable,
  type ForegroundExit,
  paint,
  runInForeground,
  shellWord,
  shortenLine,
  UnderstudyError,
} from '@understudy/kit';
import type { CassetteWriter } from '@understudy/model';
import { loadScenario, type Scenario, type ScriptUsage } from '@understudy/script';
import {
  type AgentCall,
  agentOfProgram,
  agentsOn,
  type CallState,
  callEvent,
  EventLog,
  escapesOfProgram,
  GitChanges,
  holdsHome,
  type Isolation,
  type IsolationState,
  type PlaceOptions,
  ProgramRun,
  ProjectWatch,
  requestedIsolation,
  textOfCall,
  withoutAgentKeys,
} from '@understudy/stage';
import { isolationText } from '@understudy/verdict';
import { EXIT_FAILED } from './main.js';
import { printError, printJson, printNote } from './output.js';

export interface ExecOptions {
  /** Needed where a script answers. */
  scenario?: string;
  stage: 'sim' | 'scripted' | 'replay' | 'live';
  /** The recording that is played, or that is written on live. */
  cassette?: string;
  speed?: number;
  agent?: string[];
  state: CallState;
  allowUnused?: true;
  isolation?: string;
  log?: string;
  json?: true;
  /** Somebody sits at the terminal and may keep the recording as it is at a moment; the text is shown then. */
  onKept?: () => string;
}

/** As `env` and `timeout` do: what they run may end with any small number. */
const EXIT_COULD_NOT = 125;
const EXIT_NOT_STARTED = 127;

/** Runs a command with the agents in place, prints what it called, and returns its exit code. */
export async function execProgram(command: readonly string[], options: ExecOptions): Promise<number> {
  try {
    return await exec(command, options);
  } catch (error) {
    printError(error, { json: options.json === true });
    const notStarted = error instanceof UnderstudyError && error.code === 'PROCESS_NOT_STARTED';
    return notStarted ? EXIT_NOT_STARTED : EXIT_COULD_NOT;
  }
}

async function exec(command: readonly string[], options: ExecOptions): Promise<number> {
  const { stage, state } = options;
  const scenario = scenarioFor(options);
  const scratch = createScratch('exec');
  const home = join(scratch.path, 'home');
  const folder = join(scratch.path, 'calls');
  const agents = options.agent ?? (await usableAgents(stage, command));
  // It is the user's own command, with the user's own environment: it is kept apart only if somebody asks for it.
  const isOwn = requestedIsolation(options.isolation).level === 'auto';
  const program = await ProgramRun.open({
    ...{ agents, stage, scenario, folder, home, from: withoutAgentKeys(process.env), cassette: cassetteFor(options) },
    ...{ cwd: process.cwd(), terminalIn: process.cwd(), letsOut: true },
    isolation: {
      requested: isOwn ? 'none' : options.isolation,
      ...{ writable: [process.cwd(), scratch.path], readable: scriptOf(command) },
    },
  }).catch(async (error: unknown) => {
    await scratch.remove();
    throw error;
  });
  const { agents: placed } = program;
  const { recording } = placed;
  const watch = recording === undefined ? undefined : new ProjectWatch(process.cwd());
  watch?.begin((files) => recording?.writer.files(files));
  const changes: EventBody[] = [];
  const look = (): Seen => {
    changes.push(...(watch?.changes().events ?? []));
    return { calls: placed.calls(1).calls, changes };
  };
  const { onKept } = options;
  try {
    const start = { command, ...program.begin(1, { state }) };
    const git = start.enclosure === undefined ? new GitChanges(process.cwd()) : undefined;
    const exit =
      recording === undefined || onKept === undefined
        ? await runInForeground({ ...start, outputToStderr: options.json === true })
        : await runAttached({ ...start, onKeep: () => keepRecording(recording, look(), onKept) });
    const escapes = escapesOfProgram(program.tried().attempts).map(({ text }) => text);
    const called = placed.calls(1);
    const { calls, refused, unsupported } = called;
    if (recording !== undefined) {
      writeSeen(recording.writer, look());
      const { code, signal, milliseconds } = exit;
      recording.writer.seen({ ...{ type: 'program', command, code, signal, milliseconds }, ...{ step: 1 } });
    }
    const usage = placed.usage() ?? { unused: [], unmatched: [] };
    const { level, hidden } = program.isolation;
    const around: IsolationState = { level, ...(isOwn ? { reason: OWN_COMMAND } : {}) };
    const told = {
      ...{ ...called, stage, escapes, planted: git?.find() ?? [], isolation: around },
      unreadable: placed.unreadable.map(describeUnreadable),
      usage: options.allowUnused === true ? { ...usage, unused: [] } : usage,
    };
    if (options.log !== undefined) writeLog(options.log, calls, { hidden, ...around });
    if (options.json === true) printJson(documentOf(exit, told));
    else printSummary(exit, told);
    return exitCodeOf(
      exit,
      [usage.unmatched, refused, unsupported, escapes, told.unreadable].some(({ length }) => length > 0),
    );
  } finally {
    await program.close();
    await scratch.remove();
  }
}

const OWN_COMMAND = 'it is your own command; --isolation sandbox keeps it apart';

/** What an interpreter runs, as in `node /path/tool.js`: the user asked for it. */
function scriptOf(command: readonly string[]): string[] {
  return command.filter((word) => isAbsolute(word) && !holdsHome(word)).slice(0, 2);
}

/** What the command did is its own; that a prompt had no answer makes a success none. */
function exitCodeOf({ code, signal }: ForegroundExit, unanswered: boolean): number {
  if (signal !== null) return 128 + constants.signals[signal];
  return code === 0 && unanswered ? EXIT_FAILED : (code ?? EXIT_FAILED);
}

function scenarioFor({ scenario, stage }: ExecOptions): Scenario {
  if (scenario !== undefined) return loadScenario(scenario);
  if (stage === 'replay' || stage === 'live') return { document: { responses: [] }, warnings: [] };
  throw new UnderstudyError('SCENARIO_MISSING', `on the stage "${stage}" a scenario says what the model answers`, {
    fix: 'Give `--scenario FILE`, or play a recording with `--stage replay --cassette FILE`.',
  });
}

function cassetteFor({ stage, cassette, speed }: ExecOptions): PlaceOptions['cassette'] {
  const idle =
    stage === 'replay'
      ? undefined
      : speed !== undefined
        ? '--speed'
        : stage === 'live'
          ? undefined
          : cassette && '--cassette';
  if (idle !== undefined) {
    throw new UnderstudyError(
      'BAD_FLAG',
      `${idle} does nothing on ${stage}: there a scenario answers, and no recording`,
      {
        fix: `Leave out ${idle}, or add --stage replay.`,
      },
    );
  }
  if (cassette === undefined) {
    if (stage !== 'replay') return undefined;
    throw new UnderstudyError('CASSETTE_MISSING', 'on the stage "replay" a cassette says what the model answers', {
      fix: 'Give `--cassette FILE`. `understudy record -o FILE -- COMMAND` writes one.',
    });
  }
  return { file: cassette, record: stage === 'live', speed };
}

/** What was seen beside the wire. */
interface Seen {
  calls: readonly AgentCall[];
  changes: readonly EventBody[];
}

/** Keeps a recording as it is now, unless the agent is in the middle of something. Prints what became of it. */
function keepRecording(
  { writer, recorder }: NonNullable<ProgramRun['agents']['recording']>,
  { calls, changes }: Seen,
  onKept: () => string,
): string {
  if (writer.interactions === 0) return 'not kept: nothing has been asked yet';
  if (!recorder.isIdle) return 'not kept: the agent is working; press the key again when it has ended';
  try {
    // A call that still runs has not died: it is only not over.
    const running = calls.map((call) => (call.endedAt === undefined ? withoutEnd(call) : call));
    writer.keep(() => writeSeen(writer, { calls: running, changes }));
    return onKept();
  } catch (error) {
    return `not kept: ${(error as Error).message}`;
  }
}

function withoutEnd(call: AgentCall): AgentCall {
  const isEnd = (event: EventBody) => event.type === 'turn_ended' && event.outcome === 'died';
  return { ...call, events: call.events.filter((event) => !isEnd(event)) };
}

/** Adds to the recording what was seen outside the wire: exit codes, tool results, files. */
function writeSeen(writer: CassetteWriter, { calls, changes }: Seen): void {
  for (const call of calls) {
    const place = { step: 1, call: call.number };
    // Which process it was says nothing to others.
    writer.seen({ ...callEvent(call), ...place, ...{ pid: undefined, parent: undefined } });
    for (const event of call.events) writer.seen({ ...event, ...place });
  }
  for (const change of changes) writer.seen({ ...change, ...{ step: 1 } });
}

/** Every agent that the stage can play on this machine; for a command that is an agent, this one. */
async function usableAgents(stage: ExecOptions['stage'], [program = '']: readonly string[]): Promise<string[]> {
  const agents = agentsOn(stage === 'live' ? 'scripted' : stage);
  if (stage === 'sim') return agents;
  const itself = agentOfProgram(basename(program));
  if (stage !== 'scripted' && itself !== undefined && agents.includes(itself)) return [itself];
  const { findAgent } = await import('@understudy/agents');
  const found = await Promise.all(
    agents.map((agent) =>
      findAgent(agent).then(
        () => [agent],
        () => [],
      ),
    ),
  );
  return found.flat();
}

interface ExecSummary {
  stage: string;
  calls: readonly AgentCall[];
  others: readonly { agent: string; command: readonly string[] }[];
  refused: readonly string[];
  unsupported: readonly string[];
  escapes: readonly string[];
  unreadable: readonly string[];
  /** What git will run or obey from now on, where nothing was kept apart. */
  planted: readonly string[];
  usage: ScriptUsage;
  isolation: IsolationState;
}

function printSummary({ leftovers }: ForegroundExit, told: ExecSummary): void {
  const { stage, calls, others, refused, unsupported, escapes, unreadable, planted, usage, isolation } = told;
  const { unused, unmatched } = usage;
  printNote(
    `\n${paint.bold('understudy')}: ${countOf(calls.length, 'call')} ${paint.dim(`on ${stage} · ${isolationText(isolation)}`)}`,
  );
  for (const call of calls) printNote(`  ${describe(call)}`);
  for (const [line, times] of counted(others.map(({ command }) => typed(command))))
    printNote(paint.dim(`  also started: ${times === 1 ? '' : `${times} × `}${shortenLine(line, 120)}`));
  for (const name of refused) printNote(`  ${paint.red('not in place')}: ${name}; name it with --agent`);
  for (const call of unsupported) printNote(`  ${paint.red('not possible on sim')}: ${shortenLine(call, 200)}`);
  for (const tried of escapes) printNote(`  ${paint.red('tried outside of its sandbox')}: ${tried}`);
  for (const found of unreadable) printNote(`  ${paint.red('could not be read')}: ${found}`);
  for (const path of planted) printNote(`  ${paint.yellow('git will run or obey')}: ${path}`);
  for (const { message, fix } of unmatched)
    printNote(`  ${paint.red('unanswered')}: ${message}\n    ${paint.green('fix')}: ${fix}`);
  for (const { rulePath, name, pattern, optional } of unused) {
    if (!optional) printNote(`  ${paint.yellow('unused')}: ${name ?? rulePath} (${pattern})`);
  }
  for (const process of leftovers) printNote(`  ${paint.yellow('left running, and ended')}: ${process}`);
}

function describe(call: AgentCall): string {
  const { number, command, startedAt, endedAt } = call;
  const took = endedAt === undefined ? 'killed' : `${describeEnd(call)}, ${Math.round(endedAt - startedAt)} ms`;
  const said = textOfCall(call);
  return `${number}. ${shortenLine(typed(command), 120)} ${paint.dim(`→ ${took}${said === '' ? '' : `: ${shortenLine(said, 80)}`}`)}`;
}

/** `exit code 1, failed: rate_limit, 3 attempts`: that a program ended says nothing about what the model answered. */
function describeEnd({ code, signal, events, attempts = 1 }: AgentCall): string {
  if (signal !== undefined && signal !== null) return signal;
  const { outcome, reason } = endOf(events) ?? {};
  const failed = outcome === undefined || outcome === 'completed' ? undefined : outcome;
  return [
    ...(code === undefined || code === null ? [] : [`exit code ${code}`]),
    ...(failed === undefined ? [] : [reason === undefined || reason === failed ? failed : `${failed}: ${reason}`]),
    ...(failed === undefined && typeof code !== 'number' ? ['answered'] : []),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ].join(', ');
}

function endOf(events: readonly EventBody[]) {
  return events.find((event) => event.type === 'turn_ended');
}

/** A command as it has to be typed. */
function typed(command: readonly string[]): string {
  return command.map(shellWord).join(' ');
}

/** Each line, and how often it is there. */
function counted(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function documentOf(
  { code, signal, milliseconds, leftovers }: ForegroundExit,
  { calls, others, refused, unsupported, escapes, unreadable, planted, usage, isolation }: ExecSummary,
) {
  return {
    exit: { code, signal, milliseconds },
    isolation,
    calls: calls.map(({ events, told: _, stdin, stdout, stderr, ...call }) => {
      const ended = endOf(events);
      const tools = events.flatMap((event) => (event.type === 'tool_call' ? [event.tool] : []));
      return {
        ...call,
        stdin,
        said: textOfCall({ events }),
        tools,
        outcome: ended?.outcome,
        reason: ended?.reason,
      };
    }),
    others,
    not_in_place: refused,
    ...(unsupported.length === 0 ? {} : { unsupported }),
    ...(escapes.length === 0 ? {} : { escapes }),
    ...(unreadable.length === 0 ? {} : { unreadable }),
    ...(planted.length === 0 ? {} : { planted }),
    unanswered: usage.unmatched.map(({ message, fix }) => ({ message, fix })),
    unused: usage.unused
      .filter(({ optional }) => !optional)
      .map(({ rulePath, pattern }) => ({ rule: rulePath, pattern })),
    leftovers,
  };
}

function writeLog(
  file: string,
  calls: readonly AgentCall[],
  { level, reason, hidden }: IsolationState & Pick<Isolation, 'hidden'>,
): void {
  const log = new EventLog({ file });
  const around = { level, ...defined({ reason }), hidden: [...hidden], writable: [process.cwd()] };
  log.appendOfStep({ type: 'isolation', ...around }, { step: 1 });
  for (const call of calls) {
    const { number, startedAt, endedAt = startedAt } = call;
    log.appendOfStep(callEvent(call), { step: 1, call: number, at: startedAt });
    for (const event of call.events) log.appendOfStep(event, { step: 1, call: number, at: endedAt });
  }
  log.close();
}
