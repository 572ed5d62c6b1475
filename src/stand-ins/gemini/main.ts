import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defined } from '../../document/defined.js';
import { describeError } from '../../document/describe-error.js';
import type { JsonObject } from '../../document/json.js';
import { describeUnanswered } from '../../scenario/unanswered.js';
import { findScenario } from '../shared/find-scenario.js';
import { offeredToolSet } from '../shared/offered-tools.js';
import type { Stdin } from '../shared/own-stdin.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { recordUnsupported } from '../shared/record-call.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import type { LiveResult } from '../shared/tools/plain-tools.js';
import { ChatRecord } from './chat-record.js';
import type { CommandContext } from './commands/expand-command.js';
import { CommandProblem } from './commands/injections.js';
import { ATTEMPTS, failureOf, isRepeated, retryLine, unansweredFailure } from './failures.js';
import type { Part } from './files/file-content.js';
import { FolderProblem, openWorkspace, type Workspace } from './files/workspace.js';
import type { HookPlace } from './hooks/run-hooks.js';
import type { SessionHooks, ToolFacts } from './hooks/session-hooks.js';
import { JsonView } from './json-view.js';
import type { McpSession } from './mcp/session.js';
import { refuseServerWords, serverRules, startServers } from './mcp-servers.js';
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
import { isOffered } from './policy/mcp-policy.js';
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

/** What hooks put before a prompt; rules do not see it. */
const HOOK_CONTEXT = /^<hook_context>[^<]*<\/hook_context>\s*/;

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
  refuseExtensions(home, cwd);
  if (options.listExtensions) return 0;
  const chats = join(projectFolder(env, cwd), 'chats');
  const sessions = new SessionStore(join(home, 'understudy'));
  const session = findSession(options, sessions, { cwd, chats, streams });
  const allowed = options.allowedTools.length > 0 ? options.allowedTools : settings.allowedTools;
  const core = coreTools(settings, mode);
  const tellWarnings = (): void => warn(streams, { mode, allowed, excluded: settings.excludedTools });
  // What hooks say to the user at the start comes before all else.
  if (settings.hooks === undefined) tellWarnings();
  const workspace = openWorkspace([cwd, ...settings.folders, ...options.folders], {
    ...{ temp: dirname(chats), gemini: home, home: env['HOME'] ?? cwd },
  });
  const policy = new ToolPolicy({
    ...{ mode, allowed: [...allowed, ...(core ?? [])], workspace },
    plans: join(workspace.temp, session.id, 'plans'),
  });
  const record = new ChatRecord(chats, cwd);
  record.open(session.id);
  const piped = stdin.read();
  const scenario = await findScenario(env, here);
  const model = options.model ?? (env['GEMINI_MODEL'] || settings.model || scenario.document.default_model) ?? 'auto';
  if (options.rawWarning && format === 'text') streams.error(`${RAW_WARNING}\n`);
  const shown = newView(format, streams, options.raw);
  const view = new ShownTwice(streams, shown, record);
  const mcp = await startServers(settings, options, { folders: workspace.folders, env, streams });
  const facts = {
    ...{ home, session: session.id, transcript: record.file, cwd, env, streams },
    plans: join(workspace.temp, session.id, 'plans'),
    problemOf: (name: string, input: JsonObject) => inputProblem(name, input, { workspace, policy, mcp }),
    serverOf: (name: string) => mcp?.contextOf(name),
  };
  const hooks = await startHooks(settings.hooks, facts);
  try {
    const added = await hooks?.onStart(session.play === undefined ? 'startup' : 'resume', (words) => {
      streams.error(words);
      tellWarnings();
    });
    const prompt = readPrompt(options, piped, added);
    refuseServerWords(prompt, mcp);
    const parts = await partsFor(prompt, { env, home, workspace, policy, streams });
    if ('problem' in parts) {
      view.onBrokenCommand({ session: session.id, model }, parts.problem);
      return EXIT_FAILED;
    }
    const rules = serverRules(settings, options, { mode, allowedTools: allowed, coreTools: core });
    const discovered = mcp?.tools.filter((tool) => isOffered(tool, rules)) ?? [];
    const offered = {
      ...{ mode, added: policy.added, excluded: settings.excludedTools, core, discovered },
      hasResources: (mcp?.resources.length ?? 0) > 0,
    };
    const agent = hooks?.forPrompt(parts, view);
    const head = { session: session.id, model, prompt };
    const verdict = await agent?.before(agent.prompt);
    if (agent !== undefined && verdict?.end !== undefined) {
      // What was blocked is not kept.
      (verdict.end.isStop ? view : shown).onBegin({ ...head, parts });
      agent.show(verdict.end);
      return 0;
    }
    const context = verdict?.context === undefined ? [] : [{ text: `<hook_context>${verdict.context}</hook_context>` }];
    view.onBegin({ ...head, parts: [...parts, ...context] });
    const turn = await playPrompt({
      ...{ scenario, argv, env, cwd, session, sessions, view },
      prompt: { text: textOf(parts).trim().replace(HOOK_CONTEXT, ''), model, cwd },
      tools: offeredToolSet(offeredTools(offered), cwd),
      refusalOf: (name, input) => policy.refusalOf(name, input),
      ...defined({ aroundTool: hooks?.aroundTool, beforeRequest: hooks?.beforeRequest, goOn: agent?.goOn }),
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
    return agent?.isStopped ? 0 : conclude(turn, format, view, streams);
  } finally {
    await hooks?.onEnd();
    await mcp?.close();
  }
}

/** What is wrong with a call before hooks hear of it. */
function inputProblem(
  name: string,
  input: JsonObject,
  { workspace, policy, mcp }: { workspace: Workspace; policy: ToolPolicy; mcp: McpSession | undefined },
): LiveResult | undefined {
  const tool = mcp?.tools.find((one) => one.name === name);
  if (tool !== undefined) return tool.problemOf(input);
  const refused = policy.refusalOf(name, input);
  if (refused?.errorType === 'invalid_tool_params') return refused;
  const path = input['file_path'] ?? (name === 'run_shell_command' ? undefined : input['dir_path']);
  const problem = typeof path === 'string' ? workspace.problemOf(resolve(workspace.root, path)) : undefined;
  if (problem === undefined) return undefined;
  return { text: problem, isError: true, shown: problem, errorType: 'invalid_tool_params' };
}

async function startHooks(
  settings: GeminiSettings['hooks'],
  {
    home,
    streams,
    problemOf,
    serverOf,
    ...place
  }: Omit<HookPlace, 'warn'> & ToolFacts & { home: string; streams: Streams },
): Promise<SessionHooks | undefined> {
  if (settings === undefined) return undefined;
  const { SessionHooks } = await import('./hooks/session-hooks.js');
  const warn = (line: string): void => streams.error(`${line}\n`);
  return new SessionHooks(settings, home, { ...place, warn }, { problemOf, serverOf });
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

/** Extensions are loaded whether a flag names them or not. Without any, the flags do not matter. */
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

/** @param added what hooks put before it */
function readPrompt({ prompt = '' }: GeminiOptions, piped: string, added: string | undefined): string {
  const text = [added ?? '', joinPrompt(prompt, piped)].filter((part) => part !== '').join('\n\n');
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

function conclude({ end, lastText, calls }: PlayedTurn, format: string, view: ShownTwice, streams: Streams): number {
  // What the agent says last decides, so a turn without words is none.
  if (end.kind === 'done' && lastText === undefined && calls.length === 0) {
    view.onInvalidStream(EMPTY_RESPONSE);
    return 0;
  }
  if (end.kind === 'done') {
    view.onDone();
    return 0;
  }
  if (end.kind === 'refused' && end.stopped !== undefined) {
    view.onStopped(`Agent execution stopped: ${end.stopped}`, false);
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
