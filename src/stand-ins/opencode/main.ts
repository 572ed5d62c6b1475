import { join, resolve } from 'node:path';
import { parseSlashCommand } from '../../scenario/prompt.js';
import { converse, scenarioFromEnvironment } from '../shared/converse.js';
import { describeError } from '../shared/describe-error.js';
import { UnknownFlag } from '../shared/flags.js';
import { readStdin } from '../shared/read-stdin.js';
import { SessionStore, type StoredSession } from '../shared/sessions.js';
import type { Turn } from '../shared/take-turn.js';
import { reportFailure } from './failures.js';
import { newId } from './ids.js';
import { JsonView } from './json-view.js';
import { helpPage, parseRunOptions, RefusedOption, type RunOptions } from './options.js';
import { errorLine, type Streams, TextView } from './text-view.js';
import { opencodeTools } from './tools.js';

/** The version that the stand-in was compared with. */
export const OPENCODE_VERSION = '1.18.18';

const FAILED = 1;
/** The stand-in itself could not do its job. */
const COULD_NOT = 2;

export interface OpencodeProcess {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  streams: Streams;
  readInput?: () => string;
}

/** `opencode`: plays a scenario as `opencode run` would, and gives the exit code. */
export async function opencode(process: OpencodeProcess): Promise<number> {
  const { argv, streams } = process;
  const [command, ...rest] = argv;
  if (command === '--version' || command === '-v') {
    streams.out(`${OPENCODE_VERSION}\n`);
    return 0;
  }
  if (command !== 'run') {
    streams.error(
      `${helpPage()}\nthe stand-in plays \`opencode run\` only${command === undefined ? '' : `, not \`${command}\``}\n`,
    );
    return FAILED;
  }
  try {
    const options = parseRunOptions(rest);
    if (options.help) {
      streams.error(helpPage());
      return 0;
    }
    return await run(options, process);
  } catch (error) {
    if (error instanceof UnknownFlag)
      streams.error(`${helpPage()}\nUnknown argument: ${error.flag.replace(/^-+/, '')}\n`);
    else if (error instanceof RefusedOption) streams.error(`${helpPage()}\n${error.message}\n`);
    else {
      streams.error(`${describeError(error)}\n`);
      return COULD_NOT;
    }
    return FAILED;
  }
}

async function run(
  options: RunOptions,
  { argv, env, cwd: here, streams, readInput = readStdin }: OpencodeProcess,
): Promise<number> {
  const scenario = scenarioFromEnvironment(env);
  const text = [options.message, readInput()].filter((part) => part !== '').join('\n');
  if (text.trim() === '' && options.command === undefined) {
    streams.error(errorLine('You must provide a message or a command'));
    return FAILED;
  }
  const cwd = resolve(here, options.dir ?? '.');
  const sessions = new SessionStore(
    join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? here, '.local/share'), 'opencode/understudy'),
  );
  const session = findSession(options, sessions, cwd);
  if (session === undefined) {
    streams.error(errorLine('Session not found'));
    return FAILED;
  }
  const model = options.model ?? scenario.document.default_model ?? 'understudy/scripted';
  const shortModel = model.slice(model.indexOf('/') + 1);
  const view =
    options.format === 'json'
      ? new JsonView(session.id, options.thinking, (line) => streams.out(`${line}\n`))
      : new TextView(streams, options.agent ?? 'build', shortModel, options.thinking);
  const command = options.command === undefined ? undefined : parseSlashCommand(`/${options.command} ${text}`);
  const turn = await converse({
    scenario,
    argv,
    env,
    cwd,
    prompt: {
      text,
      model: shortModel,
      cwd,
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...(command === undefined ? {} : { command }),
    },
    session: { ...session, ...(options.title === undefined ? {} : { title: options.title }) },
    sessions,
    tools: opencodeTools,
    liveTools: async () => (await import('./live-tools.js')).opencodeLiveTools,
    view,
  });
  return conclude(turn, view);
}

function findSession(
  { session, continue: goOn }: RunOptions,
  sessions: SessionStore,
  cwd: string,
): Omit<StoredSession, 'play' | 'updated'> | undefined {
  if (session !== undefined) return sessions.find(session);
  return (goOn ? sessions.latest(cwd) : undefined) ?? { id: newId('ses'), cwd };
}

function conclude({ end }: Turn, view: JsonView | TextView): number {
  if (end.kind === 'done') return 0;
  if (end.kind === 'unanswered') {
    view.fails('UnknownError', { message: `${end.unanswered.message}; ${end.unanswered.fix}` });
    return FAILED;
  }
  // OpenCode stops silently when a tool may not run.
  if (end.kind === 'refused') return 0;
  const report = reportFailure(end.failure);
  if (report.kind === 'cut_off') {
    view.isCutOff();
    return 0;
  }
  view.fails(report.name, report.data);
  return FAILED;
}
