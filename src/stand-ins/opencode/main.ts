import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../document/defined.js';
import { describeError } from '../../document/describe-error.js';
import { isObject } from '../../document/json.js';
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
import { reportFailure } from './failures.js';
import { newId, newReference } from './ids.js';
import { JsonView } from './json-view.js';
import type { McpSession } from './mcp.js';
import { helpPage, joinMessage, parseRunOptions, RefusedOption, type RunOptions } from './options.js';
import { refusalOf } from './permissions/ask.js';
import { requestOf, type Setup, setUp, wordsOf } from './prepare.js';
import { Refusal, Unsupported } from './refusal.js';
import { ShownTwice } from './shown-twice.js';
import { systemOf } from './system.js';
import { errorLine, rejectedLine, type Streams, TextView, warningLine } from './text-view.js';
import { toolsFor } from './tools.js';
import { type SavedMessage, Transcript } from './transcript.js';

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
    if (command !== 'run') return (await told(process)) ?? refuseCommand(command, streams);
    const options = parseRunOptions(rest);
    if (options.help) {
      streams.error(helpPage());
      return 0;
    }
    return await run(options, process);
  } catch (error) {
    if (error instanceof Unsupported) return refuse(error.message, streams);
    if (error instanceof UnknownFlag)
      streams.error(`${helpPage()}\nUnknown argument: ${error.flag.replace(/^-+/, '')}\n`);
    else if (error instanceof RefusedOption) streams.error(`${helpPage()}\n${error.message}\n`);
    else if (error instanceof Refusal) streams.error(errorLine(error.message));
    else {
      streams.error(`${describeError(error)}\n`);
      return EXIT_HARNESS_ERROR;
    }
    return EXIT_FAILED;
  }
}

function refuse(what: string, streams: Streams): number {
  recordUnsupported(`the stand-in does not support ${what}`);
  streams.error(
    `understudy-opencode: the stand-in does not support ${what}\nfix: use the real OpenCode (stage \`scripted\`)\n`,
  );
  return EXIT_HARNESS_ERROR;
}

function refuseCommand(command: string | undefined, streams: Streams): number {
  if (command !== undefined)
    return refuse(`\`${command}\`: it has \`opencode run\`, \`session\`, \`models\` and \`export\` only`, streams);
  streams.error(helpPage());
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
  const setup = setUp(options, cwd, env);
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
  const root = setup.places.worktree;
  const json = new JsonView({ session: session.id, thinking: options.thinking, root }, (line) =>
    streams.out(`${line}\n`),
  );
  const written = joinMessage({ message: options.quoted }, piped);
  const isWrong = options.model?.includes('/') === false;
  const request = isWrong ? undefined : await requestOf(options, setup, written, env);
  if (request === undefined) {
    const data = { message: 'Unexpected server error. Check server logs for details.', ref: newReference() };
    if (options.format === 'json') json.onError('UnknownError', data);
    else streams.error(errorLine(JSON.stringify({ name: 'UnknownError', data }, null, 2)));
    return EXIT_FAILED;
  }
  const { agent, warning } = request;
  const model = request.model ?? scenario.document.default_model ?? DEFAULT_MODEL;
  const shortModel = model.slice(model.indexOf('/') + 1);
  if (warning !== undefined) streams.error(warningLine(warning));
  const mcp = await startServers(setup, env);
  const shownModel = { agent: agent.name, model: shortModel };
  const view =
    options.format === 'json' ? json : new TextView(streams, { ...shownModel, thinking: options.thinking, cwd });
  const command = options.command === undefined ? undefined : parseSlashCommand(`/${options.command} ${text}`);
  const transcript = new Transcript(request.written, { session: session.id, agent: agent.name, model, cwd, root });
  const shown = new ShownTwice([view, transcript]);
  const created = session.created ?? Date.now();
  const words = wordsOf(request);
  const title = session.title ?? (options.title || titleFrom(words));
  setup.instructions.markTold(readBefore(session));
  const tools = toolsFor(agent.rules, mcp?.tools ?? [], cwd);
  const onRejected = (permission: string, patterns: readonly string[]) =>
    streams.error(rejectedLine(permission, patterns));
  const gate = { rules: agent.rules, cwd, worktree: root, approvesAll: options.approvesAll, onRejected };
  const turn = await playPrompt({
    ...{ scenario, argv, env, cwd, sessions, tools, view: shown },
    prompt: {
      ...{ text: words, model: shortModel, cwd },
      ...defined({ agent: options.agent === undefined ? undefined : agent.name, command }),
    },
    session: { ...session, title, created },
    liveTools: async () => {
      const { opencodeLiveTools } = await import('./live-tools.js');
      const called = mcp?.tools.map((tool) => [tool.name, tool.call]) ?? [];
      return { ...opencodeLiveTools(setup.instructions), ...Object.fromEntries(called) };
    },
    refusalOf: (tool, input) => refusalOf(tool, input, gate),
    told: { system: [systemOf(setup, agent, mcp, tools.names)], messages: [...request.texts] },
  }).finally(() => mcp?.close());
  const code = conclude(turn, shown);
  const saved = sessions.find(session.id);
  const messages = [...(saved?.messages ?? []), ...transcript.messages];
  if (saved !== undefined) sessions.save({ ...saved, agent: agent.name, model, messages, updated: Date.now() });
  return code;
}

async function startServers({ places, config }: Setup, env: NodeJS.ProcessEnv): Promise<McpSession | undefined> {
  if (config.values['mcp'] === undefined) return undefined;
  const { McpSession, readServers } = await import('./mcp.js');
  const session = new McpSession();
  await session.start(readServers(config.values['mcp']), { cwd: places.cwd, env, version: OPENCODE_VERSION });
  return session;
}

/** The files with instructions that the model was told in earlier turns, because it read something beside them. */
function readBefore({ messages = [] }: Partial<SavedSession>): string[] {
  return (messages as SavedMessage[])
    .flatMap(({ parts }) => parts)
    .flatMap(({ state }) => (isObject(state) && isObject(state['metadata']) ? state['metadata']['loaded'] : []))
    .filter((file) => typeof file === 'string');
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
