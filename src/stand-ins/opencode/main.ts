import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../document/defined.js';
import { describeError } from '../../document/describe-error.js';
import { parseSlashCommand } from '../../scenario/prompt.js';
import { titleFrom } from '../../scenario/title.js';
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
import { ShownTwice } from './shown-twice.js';
import { errorLine, type Streams, TextView, warningLine } from './text-view.js';
import { opencodeTools } from './tools.js';
import { Transcript } from './transcript.js';

/** The version of the real CLI that the stand-in is compared with. */
const OPENCODE_VERSION = '1.18.18';

const DEFAULT_MODEL = 'understudy/scripted';

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
  try {
    if (command !== 'run') return (await told(process)) ?? refuse(command, streams);
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

function refuse(command: string | undefined, streams: Streams): number {
  const known = '`opencode run`, `session`, `models` and `export` only';
  const what = `the stand-in supports ${known}${command === undefined ? '' : `, not \`${command}\``}`;
  if (command !== undefined) recordUnsupported(what);
  streams.error(`${helpPage()}\n${what}\n`);
  return EXIT_FAILED;
}

/** What asks no model. */
async function told({ argv, env, cwd, streams }: OpencodeProcess): Promise<number | undefined> {
  const { tellingCommand } = await import('./commands.js');
  const model = async () => (await findScenario(env, cwd)).document.default_model ?? DEFAULT_MODEL;
  return await tellingCommand(argv, {
    ...{ sessions: sessionsOf(env, cwd), cwd, env, version: OPENCODE_VERSION, model, streams },
  });
}

function sessionsOf(env: NodeJS.ProcessEnv, here: string): SessionStore {
  return new SessionStore(
    join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? here, '.local/share'), 'opencode/understudy'),
  );
}

async function run(options: RunOptions, { argv, env, cwd: here, streams }: OpencodeProcess): Promise<number> {
  const scenario = await findScenario(env, here);
  const cwd = resolve(here, options.dir ?? '.');
  const missing = options.files.find((file) => !existsSync(resolve(cwd, file)));
  if (missing !== undefined) {
    streams.error(errorLine(`File not found: ${missing}`));
    return EXIT_FAILED;
  }
  const piped = readStdin();
  const text = joinMessage(options, piped);
  if (text.trim() === '' && options.command === undefined) {
    streams.error(errorLine('You must provide a message or a command'));
    return EXIT_FAILED;
  }
  const sessions = sessionsOf(env, here);
  const session = findSession(options, sessions, cwd);
  if (session === undefined) {
    streams.error(errorLine('Session not found'));
    return EXIT_FAILED;
  }
  const model = options.model ?? scenario.document.default_model ?? DEFAULT_MODEL;
  const json = new JsonView({ session: session.id, thinking: options.thinking, cwd }, (line) =>
    streams.out(`${line}\n`),
  );
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
  const written = joinMessage({ message: options.quoted }, piped);
  const transcript = new Transcript(written, { session: session.id, agent, model, cwd });
  const shown = new ShownTwice([view, transcript]);
  const created = session.created ?? Date.now();
  const title = session.title ?? (options.title || titleFrom(text));
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
    session: { ...session, title, created },
    sessions,
    tools: openToolSet(opencodeTools, cwd),
    liveTools: async () => (await import('./live-tools.js')).opencodeLiveTools,
    view: shown,
  });
  const code = conclude(turn, shown);
  const saved = sessions.find(session.id);
  const messages = [...(saved?.messages ?? []), ...transcript.messages];
  if (saved !== undefined) sessions.save({ ...saved, agent, model, messages, updated: Date.now() });
  return code;
}

function findSession(
  { session, continue: goOn }: RunOptions,
  sessions: SessionStore,
  cwd: string,
): Omit<SavedSession, 'play' | 'updated'> | undefined {
  if (session !== undefined) return sessions.find(session);
  return (goOn ? sessions.latest(cwd) : undefined) ?? { id: newId('ses'), cwd };
}

function conclude({ end }: PlayedTurn, view: ShownTwice): number {
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
