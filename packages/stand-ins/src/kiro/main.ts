import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { chatInput, pinnedVersions, UnknownFlag } from '@understudy/agents';
import { describeError } from '@understudy/kit';
import { describeUnanswered, type Scenario } from '@understudy/script';
import { findScenario } from '../shared/find-scenario.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { readStdin } from '../shared/read-stdin.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import { openToolSet } from '../shared/translate-call.js';
import { reportFailure } from './failures.js';
import { failingMcpServers } from './mcp-startup.js';
import { type ChatOptions, parseChatOptions } from './options.js';
import { isTrusted, kiroTools } from './tools.js';
import { type Streams, TranscriptView } from './transcript-view.js';

const EXIT_FAILED = 1;
/** The stand-in could not do its job: no scenario, or a bad one. */
const EXIT_HARNESS_ERROR = 2;
const EXIT_MCP_STARTUP_FAILED = 3;
const MCP_TIMEOUT_MS = 5000;

export interface KiroProcess {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  streams: Streams;
}

/** `kiro-cli`: plays a scenario as a headless chat would, and gives the exit code. */
export async function kiro(process: KiroProcess): Promise<number> {
  const { argv, env, cwd, streams } = process;
  const [command, ...rest] = argv;
  if (command === '--version' || command === '-V' || command === 'version') {
    streams.out(`kiro-cli ${pinnedVersions.kiro}\n`);
    return 0;
  }
  try {
    if (command === 'whoami') return whoAmI(await findScenario(env, cwd), env, streams);
    if (command === 'chat') return await chat(parseChatOptions(rest), process);
    streams.error(`error: the stand-in supports \`kiro-cli chat\`, not \`${command ?? ''}\`\n`);
    return EXIT_FAILED;
  } catch (error) {
    if (error instanceof UnknownFlag) {
      streams.error(`error: unexpected argument '${error.flag}' found\n\nUsage: kiro-cli chat [OPTIONS] [INPUT]\n`);
      return EXIT_FAILED;
    }
    streams.error(`${describeError(error)}\n`);
    return EXIT_HARNESS_ERROR;
  }
}

/** Whether the user is logged in: as the scenario says, else when there is a key. */
function isLoggedIn({ document }: Scenario, env: NodeJS.ProcessEnv): boolean {
  return document.logged_in ?? (env['KIRO_API_KEY'] ?? '') !== '';
}

function whoAmI(scenario: Scenario, env: NodeJS.ProcessEnv, streams: Streams): number {
  if (!isLoggedIn(scenario, env)) {
    streams.error('Not logged in\n');
    return EXIT_FAILED;
  }
  streams.out(scenario.document.logged_in === true ? 'Logged in\n' : 'Logged in with an API key\n');
  return 0;
}

async function chat(options: ChatOptions, process: KiroProcess): Promise<number> {
  const { argv, env, cwd, streams } = process;
  const scenario = await findScenario(env, cwd);
  if (options.interactive) {
    streams.error('error: the stand-in supports chats with --no-interactive only\n');
    return EXIT_FAILED;
  }
  if (!isLoggedIn(scenario, env)) {
    streams.error('error: You are not logged in, please log in with kiro-cli login or set KIRO_API_KEY\n');
    return EXIT_FAILED;
  }
  const home = env['HOME'] ?? cwd;
  if (options.requireMcp) {
    const failing = await failingMcpServers(
      cwd,
      home,
      env,
      scenario.document.timeouts?.mcp_timeout_ms ?? MCP_TIMEOUT_MS,
    );
    if (failing.length > 0) {
      streams.error(`error: MCP servers failed to start: ${failing.join(', ')}\n`);
      return EXIT_MCP_STARTUP_FAILED;
    }
  }
  const text = chatInput(options.input, readStdin);
  if (text.trim() === '') {
    streams.error('error: Input must be supplied when running in non-interactive mode\n');
    return EXIT_FAILED;
  }
  const sessions = new SessionStore(join(home, '.kiro/understudy'));
  const session = findSession(options, sessions, cwd);
  if (session === undefined) {
    streams.error(`error: no session ${options.resumeId}\n`);
    return EXIT_FAILED;
  }
  const view = new TranscriptView(streams, (env['NO_COLOR'] ?? '') !== '');
  const model = options.model ?? scenario.document.default_model;
  const turn = await playPrompt({
    scenario,
    argv,
    env,
    cwd,
    prompt: { text, cwd, ...(options.agent && { agent: options.agent }), ...(model && { model }) },
    session,
    sessions,
    tools: openToolSet(kiroTools),
    liveTools: async () => (await import('../shared/tools/plain-tools.js')).plainTools,
    view,
    mayUse: (tool) => isTrusted(tool, options.trustAll, options.trusted),
  });
  return conclude(turn, view, streams);
}

function findSession(
  { resume, resumeId }: ChatOptions,
  sessions: SessionStore,
  cwd: string,
): Omit<SavedSession, 'play' | 'updated'> | undefined {
  if (resumeId !== undefined) return sessions.find(resumeId);
  return (resume ? sessions.latest(cwd) : undefined) ?? { id: randomUUID(), cwd };
}

function conclude({ end }: PlayedTurn, view: TranscriptView, streams: Streams): number {
  switch (end.kind) {
    case 'done':
      view.trailer();
      return 0;
    case 'failed':
      streams.error(reportFailure(end.failure));
      return EXIT_FAILED;
    case 'unanswered':
      streams.error(`error: ${describeUnanswered(end.unanswered)}\n`);
      return EXIT_FAILED;
    case 'refused':
      streams.error(
        'error: Tool approval required but --no-interactive was specified. Use --trust-all-tools to automatically approve tools.\n',
      );
      return EXIT_FAILED;
  }
}
