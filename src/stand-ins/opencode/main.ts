import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../document/defined.js';
import { describeError } from '../../document/describe-error.js';
import { parseSlashCommand } from '../../scenario/prompt.js';
import { describeUnanswered } from '../../scenario/unanswered.js';
import { findScenario } from '../shared/find-scenario.js';
import { UnknownFlag } from '../shared/flags.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { readStdin } from '../shared/read-stdin.js';
import { recordUnsupported } from '../shared/record-call.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import { openToolSet } from '../shared/translate-call.js';
import { findAgent } from './agents.js';
import { reportFailure } from './failures.js';
import { newId, newReference } from './ids.js';
import { JsonView } from './json-view.js';
import { helpPage, joinMessage, parseRunOptions, RefusedOption, type RunOptions } from './options.js';
import { errorLine, type Streams, TextView, warningLine } from './text-view.js';
import { opencodeTools } from './tools.js';

/** The version of the real CLI that the stand-in is compared with. */
const OPENCODE_VERSION = '1.18.18';

const EXIT_FAILED = 1;
/** The stand-in could not do its job: no scenario, or a bad one. */
const EXIT_HARNESS_ERROR = 2;

export interface OpencodeProcess {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  streams: Streams;
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
    if (command !== undefined) recordUnsupported(`the stand-in supports \`opencode run\` only, not \`${command}\``);
    streams.error(
      `${helpPage()}\nthe stand-in supports \`opencode run\` only${command === undefined ? '' : `, not \`${command}\``}\n`,
    );
    return EXIT_FAILED;
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
    else if (error instanceof RefusedOption) {
      if (error.isOurs) recordUnsupported(error.message);
      streams.error(`${helpPage()}\n${error.message}\n`);
    } else {
      streams.error(`${describeError(error)}\n`);
      return EXIT_HARNESS_ERROR;
    }
    return EXIT_FAILED;
  }
}

async function run(options: RunOptions, { argv, env, cwd: here, streams }: OpencodeProcess): Promise<number> {
  const scenario = await findScenario(env, here);
  const cwd = resolve(here, options.dir ?? '.');
  const missing = options.files.find((file) => !existsSync(resolve(cwd, file)));
  if (missing !== undefined) {
    streams.error(errorLine(`File not found: ${missing}`));
    return EXIT_FAILED;
  }
  const text = joinMessage(options, readStdin());
  if (text.trim() === '' && options.command === undefined) {
    streams.error(errorLine('You must provide a message or a command'));
    return EXIT_FAILED;
  }
  const sessions = new SessionStore(
    join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? here, '.local/share'), 'opencode/understudy'),
  );
  const session = findSession(options, sessions, cwd);
  if (session === undefined) {
    streams.error(errorLine('Session not found'));
    return EXIT_FAILED;
  }
  const model = options.model ?? scenario.document.default_model ?? 'understudy/scripted';
  const json = new JsonView(session.id, options.thinking, (line) => streams.out(`${line}\n`));
  if (options.model?.includes('/') === false) {
    const data = { message: 'Unexpected server error. Check server logs for details.', ref: newReference() };
    if (options.format === 'json') json.onError('UnknownError', data);
    else streams.error(errorLine(JSON.stringify({ name: 'UnknownError', data }, null, 2)));
    return EXIT_FAILED;
  }
  const shortModel = model.slice(model.indexOf('/') + 1);
  const { agent, warning } = findAgent(options.agent, cwd);
  if (warning !== undefined) streams.error(warningLine(warning));
  const view = options.format === 'json' ? json : new TextView(streams, agent, shortModel, options.thinking);
  const command = options.command === undefined ? undefined : parseSlashCommand(`/${options.command} ${text}`);
  const turn = await playPrompt({
    scenario,
    argv,
    env,
    cwd,
    prompt: {
      text,
      model: shortModel,
      cwd,
      ...defined({ agent: options.agent === undefined ? undefined : agent, command }),
    },
    session: { ...session, ...defined({ title: options.title }) },
    sessions,
    tools: openToolSet(opencodeTools),
    liveTools: async () => (await import('./live-tools.js')).opencodeLiveTools,
    view,
  });
  return conclude(turn, view);
}

function findSession(
  { session, continue: goOn }: RunOptions,
  sessions: SessionStore,
  cwd: string,
): Omit<SavedSession, 'play' | 'updated'> | undefined {
  if (session !== undefined) return sessions.find(session);
  return (goOn ? sessions.latest(cwd) : undefined) ?? { id: newId('ses'), cwd };
}

function conclude({ end }: PlayedTurn, view: JsonView | TextView): number {
  if (end.kind === 'done') return 0;
  if (end.kind === 'unanswered') {
    view.onError('UnknownError', { message: describeUnanswered(end.unanswered) });
    return EXIT_FAILED;
  }
  // OpenCode stops silently when a tool may not run.
  if (end.kind === 'refused') return 0;
  const report = reportFailure(end.failure);
  if (report.kind === 'cut_off') {
    view.onCutOff();
    return 0;
  }
  view.onError(report.name, report.data);
  return EXIT_FAILED;
}
