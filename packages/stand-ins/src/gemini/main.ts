import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { joinGeminiPrompt, pinnedVersions } from '@understudy/agents';
import { describeError } from '@understudy/kit';
import { describeUnanswered } from '@understudy/script';
import { findScenario } from '../shared/find-scenario.js';
import { offeredToolSet } from '../shared/offered-tools.js';
import type { Stdin } from '../shared/own-stdin.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { EXIT_HARNESS_ERROR, NotSupported, refuse } from '../shared/refusal.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import { refusalOf } from './changing-tools.js';
import { ChatRecord } from './chat-record.js';
import { ATTEMPTS, failureOf, isRepeated, retryLine, unansweredFailure } from './failures.js';
import { JsonView } from './json-view.js';
import { type GeminiOptions, helpPage, type OutputFormat, readArguments, WrongCommandLine } from './options.js';
import { geminiHome, projectFolder } from './projects.js';
import { refuseExpanded } from './prompt.js';
import { REFUSED } from './refused.js';
import { refuseSettings } from './settings.js';
import { ShownTwice } from './shown-twice.js';
import { StreamView } from './stream-view.js';
import { TextView } from './text-view.js';
import { offeredTools } from './tools.js';
import type { Streams } from './view.js';
import { Workspace } from './workspace.js';

const EXIT_FAILED = 1;
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

/** Ends the run with Gemini CLI's own words. */
class BadInput extends Error {}

/** `gemini`: plays a scenario as Gemini CLI would without a terminal, and gives the exit code. */
export async function gemini(process: GeminiProcess): Promise<number> {
  const { argv, streams } = process;
  try {
    const options = readArguments(argv);
    if (options.version) {
      streams.out(`${pinnedVersions.gemini}\n`);
      return 0;
    }
    if (options.help) {
      streams.out(helpPage());
      return 0;
    }
    return await run(options, process);
  } catch (error) {
    if (error instanceof NotSupported) return refuse('gemini', error, (text) => streams.error(text));
    if (error instanceof WrongCommandLine) {
      streams.error(`${error.message}\n${helpPage()}`);
      return EXIT_FAILED;
    }
    if (error instanceof BadInput) {
      streams.error(`${error.message}\n`);
      return EXIT_BAD_INPUT;
    }
    streams.error(`${describeError(error)}\n`);
    return EXIT_HARNESS_ERROR;
  }
}

async function run(options: GeminiOptions, { argv, env, cwd: here, stdin, streams }: GeminiProcess): Promise<number> {
  refuseTerminal(options, stdin);
  if (options.refused !== undefined) throw new NotSupported(options.refused);
  const cwd = realpathSync(here);
  const home = geminiHome(env, cwd);
  refuseSettings(home, cwd);
  refuseExtensions(home, cwd);
  const { mode = 'default', format = 'text' } = options;
  const chats = join(projectFolder(env, cwd), 'chats');
  const sessions = new SessionStore(join(home, 'understudy'));
  const session = findSession(options, sessions, { cwd, chats, streams });
  if (mode === 'yolo')
    for (let time = 0; time < 2; time++)
      streams.error('YOLO mode is enabled. All tool calls will be automatically approved.\n');
  const record = new ChatRecord(chats, cwd);
  record.open(session.id);
  const piped = stdin.read();
  const scenario = await findScenario(env, here);
  const model = options.model ?? (env['GEMINI_MODEL'] || scenario.document.default_model || 'auto');
  const view = new ShownTwice(streams, newView(format, streams), record);
  const prompt = readPrompt(options, piped);
  refuseExpanded(prompt, { home, root: cwd });
  view.onBegin({ session: session.id, model, prompt });
  const turn = await playPrompt({
    ...{ scenario, argv, env, cwd, session, sessions, view },
    prompt: { text: prompt.trim(), model, cwd },
    tools: offeredToolSet(offeredTools(mode), cwd),
    refusalOf: (name, input) => refusalOf(name, input, cwd),
    liveTools: async () => {
      const { geminiLiveTools } = await import('./live-tools.js');
      return geminiLiveTools(new Workspace(cwd, { temp: dirname(chats), gemini: home }));
    },
    retries: (failure) => (isRepeated(failure) ? ATTEMPTS - 1 : 0),
    givesUpStalled: true,
  });
  return conclude(turn, format, view, streams);
}

/** Without a flag of its own control characters of the model are not printed. */
function newView(format: OutputFormat, streams: Streams): JsonView | StreamView | TextView {
  if (format === 'json') return new JsonView(streams);
  return format === 'text' ? new TextView(streams) : new StreamView(streams);
}

/** Extensions are loaded whether a flag names them or not. Without any, the flag does not matter. */
function refuseExtensions(home: string, cwd: string): void {
  for (const folder of [join(home, 'extensions'), join(cwd, '.gemini', 'extensions')])
    if (existsSync(folder) && readdirSync(folder).length > 0) throw new NotSupported(`${REFUSED.extensions} ${folder}`);
}

/** Whoever sits at a terminal and gives no -p wants the terminal interface. */
function refuseTerminal({ headless, interactivePrompt }: GeminiOptions, { isTerminal }: Stdin): void {
  if (interactivePrompt && !isTerminal)
    throw new BadInput('Error: The --prompt-interactive flag cannot be used when input is piped from stdin.');
  if (!headless && isTerminal) throw new NotSupported(REFUSED.terminal);
}

function readPrompt({ prompt = '' }: GeminiOptions, piped: string): string {
  const text = joinGeminiPrompt(prompt, piped);
  if (text.trim() !== '') return text;
  throw new BadInput(
    'No input provided via stdin. Input can be provided by piping data into gemini or using the --prompt option.',
  );
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
