import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeError } from '../../document/describe-error.js';
import { describeUnanswered } from '../../scenario/unanswered.js';
import { findScenario, isLoggedIn } from '../shared/find-scenario.js';
import { offeredToolSet } from '../shared/offered-tools.js';
import type { Stdin } from '../shared/own-stdin.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { recordUnsupported } from '../shared/record-call.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import { isUuid, uuidOfNow } from '../shared/uuid.js';
import { WrongCommandLine } from './command-line.js';
import { readLayers } from './config.js';
import { CODEX_VERSION } from './environment.js';
import { failureMessage, unansweredMessage } from './failures.js';
import { JsonView } from './json-view.js';
import { modelWarning, offeredTools } from './models.js';
import { notify } from './notify.js';
import { type ExecOptions, joinPrompt, readArguments } from './options.js';
import { inColor, plain } from './paint.js';
import { projectRoot, repositoryOf } from './project-root.js';
import { Refusal, Unsupported } from './refusal.js';
import { addTokens, Rollout } from './rollout.js';
import { readSettings } from './settings.js';
import { commandEnvironment } from './shell-policy.js';
import { ShownTwice } from './shown-twice.js';
import { TextView } from './text-view.js';
import { trust } from './trust.js';
import type { Streams, TokenTotals } from './view.js';

const EXIT_FAILED = 1;
/** A bad command line; also: the stand-in could not do its job. */
const EXIT_USAGE = 2;
/** What the files of the stage `scripted` say, and what Codex does without any. */
const SCRIPTED_DEFAULTS = { model: 'scripted', sandbox: 'danger-full-access' };
const OWN_DEFAULTS = { model: 'gpt-6.1-sol', sandbox: 'read-only' };
const NO_TOKENS: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

export interface CodexProcess {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: Stdin;
  streams: Streams;
}

/** `codex`: plays a scenario as `codex exec` would, and gives the exit code. */
export async function codex(process: CodexProcess): Promise<number> {
  const { argv, stdin, streams } = process;
  try {
    const asked = readArguments(argv);
    switch (asked.kind) {
      case 'version':
        streams.out(`${asked.program} ${CODEX_VERSION}\n`);
        return 0;
      case 'help':
        if (asked.isError) streams.error(asked.page);
        else streams.out(asked.page);
        return asked.isError ? EXIT_USAGE : 0;
      case 'interactive':
        if (!stdin.isTerminal) throw new Refusal('Error: stdin is not a terminal');
        recordUnsupported('the terminal interface');
        streams.error('understudy-codex: the stand-in supports `codex exec` only, not the terminal interface\n');
        return EXIT_USAGE;
      case 'login status': {
        const isIn = await isLoggedIn(process.env);
        streams.error(isIn ? LOGGED_IN : 'Not logged in\n');
        return isIn ? 0 : EXIT_FAILED;
      }
      case 'mcp': {
        const { mcp } = await import('./mcp/command.js');
        await mcp(asked.request, { ...asked, cwd: process.cwd, home: codexHome(process.env, process.cwd) }, streams);
        return 0;
      }
      case 'refused':
        return refuse(asked.what, streams);
      case 'exec':
        return await exec(asked.options, process);
    }
  } catch (error) {
    if (error instanceof Unsupported) return refuse(error.message, streams);
    if (error instanceof WrongCommandLine) streams.error(error.message);
    else if (error instanceof Refusal) {
      streams.error(`${error.message}\n`);
      return EXIT_FAILED;
    } else streams.error(`${describeError(error)}\n`);
    return EXIT_USAGE;
  }
}

const LOGGED_IN = 'API key configured - sk-under***study\nAuthentication is checked when you send a request.\n';

function refuse(what: string, streams: Streams): number {
  recordUnsupported(`the stand-in does not support ${what}`);
  streams.error(`understudy-codex: the stand-in does not support ${what}\n`);
  return EXIT_USAGE;
}

async function exec(options: ExecOptions, process: CodexProcess): Promise<number> {
  const { argv, env, cwd: here, stdin, streams } = process;
  const home = codexHome(env, here);
  const cwd = workingFolder(options, here);
  const settings = readSettings(readLayers({ ...options, home, cwd }));
  const server = settings.servers.find(({ enabled }) => enabled);
  if (server !== undefined) throw new Unsupported(`the MCP server '${server.name}' of the settings`);
  const text = readPrompt(options, stdin, streams);
  if (!options.skipGitCheck && repositoryOf(cwd) === undefined)
    throw new Refusal('Not inside a trusted directory and --skip-git-repo-check was not specified.');
  checkSchemaFile(options, here);
  const scenario = await findScenario(env, here);
  const sessions = new SessionStore(join(home, 'understudy'));
  const { resumed, session } = findSession(options, sessions, cwd);
  const byDefault = options.ignoresUserConfig ? OWN_DEFAULTS : SCRIPTED_DEFAULTS;
  const scripted = options.ignoresUserConfig ? undefined : scenario.document.default_model;
  const model = options.model ?? settings.model ?? scripted ?? byDefault.model;
  const sandbox = options.sandbox ?? settings.sandbox ?? byDefault.sandbox;
  if (sandbox !== 'read-only') trust(projectRoot(cwd), home);
  const warnings = [modelChange(resumed, model), modelWarning(model)].filter((line) => line !== undefined);
  const tokens = resumed?.tokens ?? NO_TOKENS;
  const paint = options.color === 'always' ? inColor : plain;
  const turnId = uuidOfNow();
  const shown = options.json
    ? new JsonView(streams, paint)
    : new TextView(streams, { version: CODEX_VERSION, paint, hidesReasoning: settings.hidesReasoning });
  const about = { home, version: CODEX_VERSION, isNew: resumed === undefined, turnId, tokens };
  const view = new ShownTwice(options.ephemeral ? [shown] : [shown, new Rollout(about)]);
  const { effort, summary } = settings;
  view.onBegin({
    ...{ session: session.id, cwd, model, sandbox, effort, summary, prompt: text, warnings },
    approval: options.approval,
  });
  if (sandbox !== 'danger-full-access')
    streams.error(`understudy-codex: the stand-in has no sandbox: commands run as with danger-full-access\n`);
  const ids = { CODEX_SESSION_ID: session.id, CODEX_THREAD_ID: session.id };
  const turn = await playPrompt({
    ...{ scenario, argv, env, cwd, session, sessions, view },
    ephemeral: options.ephemeral,
    prompt: { text: text.trim(), model, cwd },
    tools: offeredToolSet(offeredTools(model), cwd),
    liveTools: async () => {
      const { codexLiveTools } = await import('./live-tools.js');
      return codexLiveTools((own) => ({ ...commandEnvironment(own, settings.shell), ...ids }));
    },
    retries: () => 0,
    givesUpStalled: true,
  });
  const total = addTokens(tokens, view.used);
  const saved = options.ephemeral ? undefined : sessions.find(session.id);
  if (saved !== undefined) sessions.save({ ...saved, tokens: total, model });
  if (turn.end.kind === 'done')
    await notify(settings.notify, { session: session.id, turnId, cwd, prompt: text, lastText: turn.lastText }, process);
  return conclude(turn, options, { here, view, streams }, total);
}

function codexHome(env: NodeJS.ProcessEnv, here: string): string {
  const named = env['CODEX_HOME'];
  if (!named) return join(env['HOME'] ?? here, '.codex');
  if (existsSync(named)) return named;
  const why = `CODEX_HOME points to ${JSON.stringify(named)}, but that path does not exist`;
  throw new Refusal(
    `WARNING: proceeding, even though we could not create PATH aliases: ${why}\nError finding codex home: ${why}`,
  );
}

function workingFolder({ cd }: ExecOptions, here: string): string {
  const folder = resolve(here, cd ?? '.');
  if (!existsSync(folder)) throw new Refusal('Error: No such file or directory (os error 2)');
  return realpathSync(folder);
}

/** The prompt of the command line, of stdin, or of both. */
function readPrompt({ prompt, resume }: ExecOptions, stdin: Stdin, { error }: Streams): string {
  const fromStdin = prompt === undefined || prompt === '-';
  if (!fromStdin && resume !== undefined) return prompt;
  if (prompt === undefined && !stdin.isTerminal) error('Reading prompt from stdin...\n');
  if (!fromStdin && !stdin.isTerminal) error('Reading additional input from stdin...\n');
  const piped = stdin.read();
  if (!fromStdin) return joinPrompt(prompt, piped);
  if (piped.trim() === '') throw new Refusal('No prompt provided via stdin.');
  return piped;
}

function checkSchemaFile({ schemaFile }: ExecOptions, here: string): void {
  if (schemaFile === undefined) return;
  const file = resolve(here, schemaFile);
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new Refusal(`Failed to read output schema file ${schemaFile}: No such file or directory (os error 2)`);
  JSON.parse(readFileSync(file, 'utf8'));
}

function findSession(
  { resume }: ExecOptions,
  sessions: SessionStore,
  cwd: string,
): { resumed?: SavedSession; session: Omit<SavedSession, 'play' | 'updated'> } {
  const resumed =
    resume?.id !== undefined
      ? sessions.find(resume.id)
      : resume?.last
        ? sessions.latest(resume.all ? undefined : cwd)
        : undefined;
  if (resumed !== undefined) return { resumed, session: resumed };
  // A name that no session has starts a new one, but an id must be known.
  if (resume?.id !== undefined && isUuid(resume.id)) {
    const why = `no rollout found for thread id ${resume.id} (code -32600)`;
    throw new Refusal(`Error: thread/resume: thread/resume failed: ${why}`);
  }
  return { session: { id: uuidOfNow(), cwd } };
}

function modelChange(resumed: SavedSession | undefined, model: string): string | undefined {
  const before = resumed?.model;
  if (before === undefined || before === model) return undefined;
  return `This session was recorded with model \`${before}\` but is resuming with \`${model}\`. Consider switching back to \`${before}\` as it may affect Codex performance.`;
}

function conclude(
  { end, lastText }: PlayedTurn,
  { lastMessageFile }: ExecOptions,
  { here, view, streams }: { here: string; view: ShownTwice; streams: Streams },
  tokens: TokenTotals,
): number {
  if (end.kind === 'failed') view.onError(failureMessage(end.failure));
  if (end.kind === 'unanswered') view.onError(unansweredMessage(describeUnanswered(end.unanswered)));
  if (end.kind !== 'done') return EXIT_FAILED;
  if (lastMessageFile !== undefined) writeLastMessage(lastMessageFile, here, lastText, streams);
  view.onDone(tokens);
  return 0;
}

function writeLastMessage(file: string, here: string, text: string | undefined, { error }: Streams): void {
  try {
    writeFileSync(resolve(here, file), text ?? '');
    if (text === undefined) error(`Warning: no last agent message; wrote empty content to ${file}\n`);
  } catch (problem) {
    const known = (problem as NodeJS.ErrnoException).code === 'ENOENT';
    const why = known ? 'No such file or directory (os error 2)' : (problem as Error).message;
    error(`Failed to write last message file ${JSON.stringify(file)}: ${why}\n`);
  }
}
