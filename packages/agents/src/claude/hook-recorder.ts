import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined, type Environment, type Unreadable, UntrustedFolder } from '@understudy/kit';
import type { EventBody } from '../events.js';
import type { Told } from '../record/teller.js';
import { hookEventFacts } from './facts/hooks/events.js';
import { judgeHook, objectionOf } from './facts/hooks/judgment.js';
import { recorderScript, tellingScript } from './recorder-script.js';
import { ToldHooks } from './told-hooks.js';

/** One run of a hook, as it was seen on the hook's side. */
export interface HookRecording {
  id: string;
  event: string;
  command: string;
  /** The payload as it came, and read as JSON. */
  stdin: string;
  payload: Record<string, unknown>;
  stdout: string;
  stderr: string;
  /** Absent while it runs, and when it was killed outright. */
  exitCode?: number;
  startedAt: Date;
  milliseconds: number;
}

export interface HookRecorder {
  /** What the agent must be started with. */
  environment: Environment;
  /** The runs so far, in the order of their start, without those that are known. */
  readLog(known?: ReadonlySet<string>): HookRecording[];
  /** From now on, what is told there counts, and no file. */
  readFrom(told: Told): void;
  /** What it knows, nobody else could have written. */
  readonly isTold: boolean;
  /** What was found in the place of records so far, and not read. */
  readonly unreadable: readonly Unreadable[];
}

/**
 * Records every hook of a Claude Code (or stand-in) that is started with `environment`: of plugins and
 * of settings, of every event, SessionEnd too. Nothing of a plugin is changed. Hooks that are no shell
 * command (prompts, addresses, programs with `args`) are not seen here; the conversation's events have them.
 */
export function recordHooks(folder: string): HookRecorder {
  const runs = join(folder, 'runs');
  mkdirSync(runs, { recursive: true });
  const script = join(folder, 'record-hook.sh');
  const teller = join(folder, 'tell-hook.pl');
  writeFileSync(script, recorderScript(runs, teller), { mode: 0o755 });
  writeFileSync(teller, tellingScript);
  const files = new UntrustedFolder(folder);
  let told: ToldHooks | undefined;
  return {
    environment: { CLAUDE_CODE_SHELL_PREFIX: script },
    readLog: (known) => {
      const runs = told?.runs() ?? files.list('runs').map(({ name: id }) => ({ id, read: filesOf(files, id) }));
      return runs
        .filter(({ id }) => known?.has(id) !== true)
        .flatMap((run) => readRun(run) ?? [])
        .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
    },
    readFrom: (source) => {
      told = new ToldHooks(source);
    },
    get isTold() {
      return told !== undefined;
    },
    get unreadable() {
      return told?.refused ?? files.unreadable;
    },
  };
}

/** A run as the events that the CLI would have reported. `SessionEnd:other`, `PreToolUse:Write`: with its subject. */
export function recordedEvents({ id, event, command, payload, stdout, stderr, exitCode }: HookRecording): EventBody[] {
  const { matches } = hookEventFacts(event);
  const subject = matches === undefined ? undefined : payload[matches];
  const name = typeof subject === 'string' ? `${event}:${subject}` : event;
  const ended = exitCode === undefined ? 'cancelled' : exitCode === 0 ? 'success' : 'error';
  const run = { event, label: command, stdout, stderr, exitCode: exitCode ?? 0, outcome: ended } as const;
  const { blocked, problem } = judgeHook(run);
  const outcome = problem === undefined ? ended : 'error';
  return [
    { type: 'hook_started', id, name, event },
    {
      ...{ type: 'hook_finished', id, name, event, payload, stdout, stderr, outcome, blocked },
      ...defined({ exitCode, reason: objectionOf(run) }),
    },
  ];
}

/** A run, and what there is of it under a name. */
interface Run {
  id: string;
  read(name: string): { text: string; mtimeMs: number } | undefined;
}

function readRun({ id, read }: Run): HookRecording | undefined {
  const [command, stdin, exit] = [read('command'), read('stdin'), read('exit')];
  if (command === undefined || stdin === undefined) return undefined;
  const payload = parsePayload(stdin.text);
  return {
    id,
    event: String(payload['hook_event_name'] ?? 'unknown'),
    command: command.text,
    stdin: stdin.text,
    payload,
    stdout: read('stdout')?.text ?? '',
    stderr: read('stderr')?.text ?? '',
    ...(exit === undefined || exit.text === '' ? {} : { exitCode: Number(exit.text) }),
    startedAt: new Date(command.mtimeMs),
    milliseconds: Math.max(0, (exit?.mtimeMs ?? Date.now()) - command.mtimeMs),
  };
}

/** A hook may print without end: so much of it is read. */
const LONGEST = 10_000_000;

function filesOf(files: UntrustedFolder, id: string): Run['read'] {
  return (name) => readRecord(files, `runs/${id}/${name}`);
}

function readRecord(files: UntrustedFolder, path: string): { text: string; mtimeMs: number } | undefined {
  const found = files.piece(path, { longest: LONGEST });
  if (found === undefined) return undefined;
  const { bytes, size, mtimeMs } = found;
  const cut = size > LONGEST ? `\n[understudy: cut after ${LONGEST} of ${size} bytes]` : '';
  return { text: `${bytes.toString('utf8')}${cut}`, mtimeMs };
}

function parsePayload(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
