import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeError } from '../../document/describe-error.js';
import { isObject } from '../../document/json.js';
import { describeUnanswered } from '../../scenario/unanswered.js';
import { findScenario } from '../shared/find-scenario.js';
import { offeredToolSet } from '../shared/offered-tools.js';
import type { Stdin } from '../shared/own-stdin.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { recordUnsupported } from '../shared/record-call.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import { ChatRecord } from './chat-record.js';
import type { CommandContext } from './commands/expand-command.js';
import { CommandProblem } from './commands/injections.js';
import { ATTEMPTS, failureOf, isRepeated, retryLine, unansweredFailure } from './failures.js';
import type { Part } from './files/file-content.js';
import { FolderProblem, openWorkspace } from './files/workspace.js';
import { JsonView } from './json-view.js';
import type { McpSession } from './mcp/session.js';
import {
  type ApprovalMode,
  type GeminiOptions,
  helpPage,
  joinPrompt,
  NotSupported,
  type OutputFormat,
  readArguments,
  WrongCommandLine,
} from './options.js';
import { isOffered, type McpPolicyOptions } from './policy/mcp-policy.js';
import { ToolPolicy } from './policy/tool-policy.js';
import { geminiHome, projectFolder } from './projects.js';
import { type GeminiSettings, readSettings } from './settings.js';
import { ShownTwice } from './shown-twice.js';
import { StreamView } from './stream-view.js';
import { TextView } from './text-view.js';
import { isTool, offeredTools } from './tools.js';
import type { Streams } from './view.js';

/** The version of the real CLI that the stand-in is compared with. */
const GEMINI_VERSION = '0.61.0';

const EXIT_FAILED = 1;
/** The stand-in could not do its job: no scenario, or a bad one. */
const EXIT_HARNESS_ERROR = 2;
const EXIT_BAD_INPUT = 42;

const EMPTY_RESPONSE = {
  invalidStream:
    'The model returned an empty response with no text or thoughts. This may be a transient API issue; please try again.',
  errorType: 'NO_RESPONSE_TEXT',
  // The first request is counted; the second one asks the model to go on, in so many words.
  repeatedFor: [37],
};

export interface GeminiProcess {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: Stdin;
  streams: Streams;
}

const ALLOWED_TOOLS_WARNING =
  'Warning: --allowed-tools cli argument and tools.allowed in settings.json are deprecated and will be removed in 1.0: Migrate to Policy Engine: https://geminicli.com/docs/core/policy-engine/';

const EXCLUDED_TOOLS_WARNING =
  'Warning: tools.exclude in settings.json is deprecated and will be removed in 1.0. Migrate to Policy Engine: https://geminicli.com/docs/core/policy-engine/';

const RAW_WARNING =
  '[WARNING] --raw-output is enabled. Model output is not sanitized and may contain harmful ANSI sequences (e.g. for phishing or command injection). Use --accept-raw-output-risk to suppress this warning.';

/** Ends the run with Gemini CLI's own words. */
class BadInput extends Error {}

/** `gemini`: plays a scenario as Gemini CLI would without a terminal, and gives the exit code. */
export async function gemini(process: GeminiProcess): Promise<number> {
  const { argv, streams } = process;
  try {
    const options = readArguments(argv);
    if (options.version) {
      streams.out(`${GEMINI_VERSION}\n`);
      return 0;
    }
    if (options.help) {
      streams.out(helpPage());
      return 0;
    }
    return await run(options, process);
  } catch (error) {
    if (error instanceof WrongCommandLine) {
      streams.error(`${error.message}\n${helpPage()}`);
      return EXIT_FAILED;
    }
    if (error instanceof BadInput) {
      streams.error(`${error.message}\n`);
      return EXIT_BAD_INPUT;
    }
    if (error instanceof FolderProblem) {
      streams.error(`[WARN] Skipping unreadable directory: ${error.folder} (${error.message})\n`);
      streams.error(`An unexpected critical error occurred:Error: ${error.message}\n`);
      return EXIT_FAILED;
    }
    if (error instanceof NotSupported) {
      recordUnsupported(`the stand-in does not support ${error.message}`);
      streams.error(`understudy-gemini: the stand-in does not support ${error.message}\n`);
    } else streams.error(`${describeError(error)}\n`);
    return EXIT_HARNESS_ERROR;
  }
}

async function run(options: GeminiOptions, { argv, env, cwd: here, stdin, streams }: GeminiProcess): Promise<number> {
  if (!options.listExtensions) refuseTerminal(options, stdin);
  const cwd = realpathSync(here);
  const home = geminiHome(env, cwd);
  const settings = readSettings(home, cwd, env);
  const mode = options.mode ?? settings.mode ?? 'default';
  const format = options.format ?? settings.format ?? 'text';
  if (options.extensions) refuseExtensions(home, cwd);
  if (options.listExtensions) return 0;
  const chats = join(projectFolder(env, cwd), 'chats');
  const sessions = new SessionStore(join(home, 'understudy'));
  const session = findSession(options, sessions, { cwd, chats, streams });
  const allowed = options.allowedTools.length > 0 ? options.allowedTools : settings.allowedTools;
  const core = coreTools(settings, mode);
  warn(streams, { mode, allowed, excluded: settings.excludedTools });
  const workspace = openWorkspace([cwd, ...settings.folders, ...options.folders], {
    ...{ temp: dirname(chats), gemini: home, home: env['HOME'] ?? cwd },
  });
  const policy = new ToolPolicy({
    ...{ mode, allowed: [...allowed, ...(core ?? [])], workspace },
    plans: join(workspace.temp, session.id, 'plans'),
  });
  const record = new ChatRecord(chats, cwd);
  record.open(session.id);
  const prompt = readPrompt(options, stdin.read());
  const scenario = await findScenario(env, here);
  const model = options.model ?? (env['GEMINI_MODEL'] || settings.model || scenario.document.default_model) ?? 'auto';
  if (options.rawWarning && format === 'text') streams.error(`${RAW_WARNING}\n`);
  const shown = newView(format, streams, options.raw);
  const view = new ShownTwice(streams, shown, record);
  const mcp = await startServers(settings, options, { folders: workspace.folders, env, streams });
  try {
    refuseServerWords(prompt, mcp);
    const parts = await partsFor(prompt, { env, home, workspace, policy, streams });
    if ('problem' in parts) {
      view.onBrokenCommand({ session: session.id, model }, parts.problem);
      return EXIT_FAILED;
    }
    view.onBegin({ session: session.id, model, prompt, parts });
    const rules = serverRules(settings, options, { mode, allowedTools: allowed, coreTools: core });
    const discovered = mcp?.tools.filter((tool) => isOffered(tool, rules)) ?? [];
    const offered = {
      ...{ mode, added: policy.added, excluded: settings.excludedTools, core, discovered },
      hasResources: (mcp?.resources.length ?? 0) > 0,
    };
    const turn = await playPrompt({
      ...{ scenario, argv, env, cwd, session, sessions, view },
      prompt: { text: textOf(parts).trim(), model, cwd },
      tools: offeredToolSet(offeredTools(offered), cwd),
      refusalOf: (name, input) => policy.refusalOf(name, input),
      liveTools: async () => {
        const { geminiLiveTools } = await import('./live-tools.js');
        return {
          ...geminiLiveTools(workspace, policy),
          ...mcp?.resourceTools(),
          ...Object.fromEntries(discovered.map((tool) => [tool.name, tool.call])),
        };
      },
      retries: (failure) => (isRepeated(failure) ? ATTEMPTS - 1 : 0),
      givesUpStalled: true,
    });
    return conclude(turn, format, view, streams);
  } finally {
    await mcp?.close();
  }
}

/** Prompts of servers are commands, and what they keep can stand behind an @. */
function refuseServerWords(prompt: string, mcp: McpSession | undefined): void {
  const called = /^\/(\S+)/.exec(prompt)?.[1] ?? '';
  if (mcp?.prompts.includes(called)) throw new NotSupported(`the prompt /${called} of an MCP server`);
  const kept = mcp?.resources.find(({ server, uri }) => prompt.includes(`@${server}:${uri}`));
  if (kept !== undefined) throw new NotSupported(`@${kept.server}:${kept.uri} in a prompt`);
}

async function startServers(
  { servers, serverNames }: GeminiSettings,
  { allowedServers }: GeminiOptions,
  { folders, env, streams }: { folders: readonly string[]; env: NodeJS.ProcessEnv; streams: Streams },
): Promise<McpSession | undefined> {
  if (Object.keys(servers).length === 0) return undefined;
  const { startMcpServers } = await import('./mcp/session.js');
  // Who names servers on the command line does not care for those that settings exclude.
  const names = allowedServers === undefined ? serverNames : { allowed: allowedServers, excluded: [] };
  return await startMcpServers(servers, names, { folders, env, warn: (line) => streams.error(`${line}\n`) });
}

function serverRules(
  { servers, toolServers, excludedTools, allowsAllServers }: GeminiSettings,
  { allowedServers }: GeminiOptions,
  more: Pick<McpPolicyOptions, 'mode' | 'allowedTools' | 'coreTools'>,
): McpPolicyOptions {
  const isTrusted = (server: unknown): boolean => isObject(server) && Boolean(server['trust']);
  return {
    ...more,
    excludedTools,
    allowedServers: allowedServers ?? toolServers.allowed,
    excludedServers: toolServers.excluded,
    trustedServers: Object.keys(servers).filter((name) => allowsAllServers || isTrusted(servers[name])),
  };
}

/** What Gemini CLI says on stderr before it begins. */
function warn(
  { error }: Streams,
  { mode, allowed, excluded }: { mode: ApprovalMode; allowed: readonly string[]; excluded: readonly string[] },
): void {
  if (allowed.length > 0) error(`${ALLOWED_TOOLS_WARNING}\n`);
  if (excluded.length > 0) error(`${EXCLUDED_TOOLS_WARNING}\n`);
  if (mode === 'yolo')
    for (let time = 0; time < 2; time++)
      error('YOLO mode is enabled. All tool calls will be automatically approved.\n');
}

/** The only tools that there are, where settings say so. */
function coreTools({ coreTools: core }: GeminiSettings, mode: ApprovalMode): readonly string[] | undefined {
  if (core === undefined) return undefined;
  const unknown = core.find((name) => !isTool(name) && !name.startsWith('mcp_'));
  if (unknown !== undefined) throw new NotSupported(`tools.core with ${unknown} in settings.json`);
  if (mode === 'plan') throw new NotSupported('tools.core in settings.json in a plan');
  return core;
}

/** Without `--raw-output` control characters of the model are not printed; the document never has them. */
function newView(format: OutputFormat, streams: Streams, raw: boolean): JsonView | StreamView | TextView {
  if (format === 'json') return new JsonView(streams);
  return format === 'text' ? new TextView(streams, raw) : new StreamView(streams, raw);
}

/** Without any extensions, it does not matter which are wanted. */
function refuseExtensions(home: string, cwd: string): void {
  for (const folder of [join(home, 'extensions'), join(cwd, '.gemini', 'extensions')])
    if (existsSync(folder) && readdirSync(folder).length > 0) throw new NotSupported(`extensions (${folder})`);
}

/** Whoever sits at a terminal and gives no -p wants the terminal interface. */
function refuseTerminal({ headless, interactivePrompt }: GeminiOptions, { isTerminal }: Stdin): void {
  if (interactivePrompt && !isTerminal)
    throw new BadInput('Error: The --prompt-interactive flag cannot be used when input is piped from stdin.');
  if (interactivePrompt || (!headless && isTerminal))
    throw new NotSupported('the terminal interface; give the prompt with -p');
}

function readPrompt({ prompt = '' }: GeminiOptions, piped: string): string {
  const text = joinPrompt(prompt, piped);
  if (text.trim() !== '') return text;
  throw new BadInput(
    'No input provided via stdin. Input can be provided by piping data into gemini or using the --prompt option.',
  );
}

/** The prompt as the model gets it. What few prompts need is loaded for them only. */
async function partsFor(prompt: string, context: CommandContext): Promise<Part[] | { problem: string }> {
  if (/^\/(?![/*])/.test(prompt)) {
    const { expandCommand } = await import('./commands/expand-command.js');
    try {
      const expanded = await expandCommand(prompt, context);
      if (expanded !== undefined) return expanded;
    } catch (error) {
      if (error instanceof CommandProblem) return { problem: error.message };
      throw error;
    }
  }
  if (!prompt.includes('@')) return [{ text: prompt }];
  const { partsOf } = await import('./prompt-references.js');
  return partsOf(prompt, context.workspace);
}

/** What a model reads of a prompt. Empty parts are not sent. */
function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => ('text' in part && part.text !== '' ? [part.text] : [])).join('\n');
}

function findSession(
  { resume, sessionId }: GeminiOptions,
  sessions: SessionStore,
  { cwd, chats, streams }: { cwd: string; chats: string; streams: Streams },
): Omit<SavedSession, 'play' | 'updated'> & Partial<SavedSession> {
  if (resume === undefined) {
    if (sessionId !== undefined && sessions.find(sessionId) !== undefined)
      throw new BadInput(
        `Error starting session: Session ID "${sessionId}" already exists. Use --resume to resume it, or provide a different ID.`,
      );
    return { id: sessionId ?? randomUUID(), cwd };
  }
  const known = sessions.inFolder(cwd);
  if (known.length === 0) {
    streams.error('No previous sessions found for this project.\n');
    return { id: randomUUID(), cwd };
  }
  const found =
    resume === 'latest'
      ? known.at(-1)
      : (known.find(({ id }) => id === resume) ?? (/^\d+$/.test(resume) ? known[Number(resume) - 1] : undefined));
  if (found !== undefined) return found;
  throw new BadInput(
    `Error resuming session: Invalid session identifier "${resume}".\n  Searched for sessions in ${chats}.\n  Use --list-sessions to see available sessions, then use --resume {number}, --resume {uuid}, or --resume latest.`,
  );
}

function conclude({ end, lastText }: PlayedTurn, format: string, view: ShownTwice, streams: Streams): number {
  // What the agent says last decides, so a turn without words is none.
  if (end.kind === 'done' && lastText === undefined) {
    view.onInvalidStream(EMPTY_RESPONSE);
    return 0;
  }
  if (end.kind === 'done') {
    view.onDone();
    return 0;
  }
  const failure =
    end.kind === 'failed'
      ? failureOf(end.failure)
      : unansweredFailure(end.kind === 'unanswered' ? describeUnanswered(end.unanswered) : 'refused');
  if ('invalidStream' in failure) {
    view.onInvalidStream(failure);
    return 0;
  }
  const repeated = end.kind === 'failed' ? retryLine(end.failure) : undefined;
  if (repeated !== undefined)
    streams.error(`${repeated}\nAttempt ${ATTEMPTS} failed: ${failure.message}. Max attempts reached\n`);
  view.onError(failure);
  return format === 'text' ? EXIT_FAILED : failure.exitCode;
}
