import { CLAUDE_VERSION, CliError, joinClaudePrompt } from '@understudy/agents';
import { findScenario } from '../shared/find-scenario.js';
import { recordUnsupported } from '../shared/record-call.js';
import { writeOut } from '../shared/write-out.js';
import { checkStart } from './check-start.js';
import { NotSupported } from './cli/arguments.js';
import { checkVerbose } from './cli/check-options.js';
import { type Options, readOptions } from './cli/options.js';
import { readPipedText } from './cli/stdin.js';
import type { ForcedFailure } from './failures/forced-failure.js';
import { fire } from './hooks/fire-if-any.js';
import { crashResult } from './output/crash-result.js';
import { connectMcp } from './session/connect-mcp.js';
import type { Session } from './session/session.js';
import { SessionCrash } from './session/session-crash.js';
import { NoSuchSession } from './session/session-store.js';
import type { UserMessage } from './session/user-message.js';
import { startSession } from './start.js';
import { beginSession } from './turn/begin-session.js';
import { runTurn } from './turn/turn.js';

/**
 * Runs the stand-in as a program and gives the exit code. Throws an `UnderstudyError` when the
 * stand-in cannot do its job: no scenario, or one with mistakes.
 */
export async function runClaude(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let options: Options | undefined;
  try {
    options = readOptions(argv);
    if (options.help) return await showHelp();
    return await run(options, argv, env);
  } catch (error) {
    return fail(error, options);
  }
}

async function run(options: Options, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (options.version) return showVersion(options);
  const scenario = await findScenario(
    env,
    process.cwd(),
    options.scenario || env['UNDERSTUDY_SCENARIO'] || env['CLAUDELESS_SCENARIO'],
  );
  const cwd = scenario.document.working_directory ?? process.cwd();
  const checked = await checkStart(options, env, cwd, scenario.document);
  const forced = await findForcedFailure(options, env, scenario.document.logged_in);
  const start = { options, argv, env, cwd, scenario, checked };
  if (options.inputFormat === 'stream-json') {
    checkVerbose(options);
    const { runStreamInput } = await import('./control/stream-input.js');
    const { ControlChannel } = await import('./control/channel.js');
    const host = new ControlChannel();
    const session = await startSession({ ...start, host });
    return finish(session, await runStreamInput(session, host, forced));
  }
  if (options.initOnly) {
    const session = await startSession(start);
    await beginSession(session);
    return finish(session, 0);
  }
  const prompt = await promptOf(options);
  checkVerbose(options);
  const session = await startSession(start);
  await connectMcp(session);
  const first = await beginSession(session);
  await session.mcp?.ready();
  const signal = new AbortController().signal;
  session.out.sendState('running');
  const own: UserMessage = { content: withInitialPrompt(session, prompt) };
  // A hook may put a prompt before that of the user.
  if (first !== undefined) await runTurn(session, { content: first }, forced, signal);
  const end = await runTurn(session, own, forced, signal);
  session.out.sendState('idle');
  return finish(session, end.unanswered ? 2 : end.isError ? 1 : 0);
}

/** The agent of the session may have words of its own for the beginning. */
function withInitialPrompt({ ownAgent, parts }: Session, prompt: string): string {
  const initial = parts.agents.find(({ name }) => name === ownAgent)?.initialPrompt;
  return initial === undefined ? prompt : `${initial}\n\n${prompt}`;
}

async function promptOf(options: Options): Promise<string> {
  const prompt = joinClaudePrompt(options.prompt, await readPipedText());
  if (prompt !== '' && prompt.trim() === '') {
    throw new CliError(
      'Error: Input contained only whitespace. Provide a prompt with text through stdin or as a prompt argument when using --print',
    );
  }
  if (prompt !== '') return prompt;
  throw new CliError('Error: Input must be provided either through stdin or as a prompt argument when using --print');
}

/** The failure that replaces every answer, if one was asked for. */
async function findForcedFailure(
  options: Options,
  env: NodeJS.ProcessEnv,
  loggedIn: boolean | undefined,
): Promise<ForcedFailure | undefined> {
  if (loggedIn === false) return { kind: 'not_logged_in' };
  if (options.failure === undefined && !env['UNDERSTUDY_FAILURE'] && !env['CLAUDELESS_FAILURE']) return undefined;
  const { readForcedFailure } = await import('./failures/forced-failure.js');
  return readForcedFailure(options.failure, env);
}

async function finish(session: Session, exitCode: number): Promise<number> {
  session.transcript.flush();
  await session.background.hooks.end();
  session.transcript.flush();
  await fire(session, 'SessionEnd', { reason: 'other' });
  await session.mcp?.close();
  session.parts.output.end();
  if (!session.out.hasSent('no check') || session.parts.options.outputFormat === 'stream-json') return exitCode;
  writeOut(
    2,
    'Error: auto mode could not check some actions Claude tried, so they did not run. To run them, use another permission mode. Exiting with code 1.\n',
  );
  return exitCode === 0 ? 1 : exitCode;
}

function showVersion(options: Options): number {
  writeOut(1, `${options.claudeVersion ?? CLAUDE_VERSION} (Claude Code)\n`);
  return 0;
}

async function showHelp(): Promise<number> {
  const { helpText } = await import('./cli/help.js');
  writeOut(1, helpText());
  return 0;
}

/** Reports an error of the real CLI with its message and exit code. Other errors are thrown. */
function fail(error: unknown, options: Options | undefined): number {
  if (!(error instanceof CliError)) throw error;
  if (error instanceof NotSupported) recordUnsupported(error.message);
  if (error instanceof NoSuchSession && options?.outputFormat === 'stream-json')
    writeOut(1, `${JSON.stringify(crashResult(error.sessionId, [error.message]))}\n`);
  // The result has already reported a crash.
  if (!(error instanceof SessionCrash)) writeOut(2, `${error.message}\n`);
  return error.exitCode;
}
