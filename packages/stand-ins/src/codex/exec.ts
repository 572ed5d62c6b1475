import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { joinCodexPrompt } from '@understudy/agents';
import { describeUnanswered } from '@understudy/script';
import { findScenario } from '../shared/find-scenario.js';
import { offeredToolSet } from '../shared/offered-tools.js';
import type { Stdin } from '../shared/own-stdin.js';
import { playPrompt } from '../shared/play-prompt.js';
import type { PlayedTurn } from '../shared/play-turn.js';
import { NotSupported } from '../shared/refusal.js';
import { type SavedSession, SessionStore } from '../shared/session-store.js';
import { CODEX_VERSION } from './environment.js';
import { failureMessage, unansweredMessage } from './failures.js';
import { JsonView } from './json-view.js';
import { modelWarning, offeredTools } from './models.js';
import type { ExecOptions } from './options.js';
import { type CodexProcess, CodexRefusal } from './process.js';
import { repositoryOf } from './project-root.js';
import { addTokens, Rollout } from './rollout.js';
import { readSettings, type Settings } from './settings.js';
import { ShownTwice } from './shown-twice.js';
import { TextView } from './text-view.js';
import type { Streams, TokenTotals } from './view.js';

const EXIT_FAILED = 1;
/** What the files of the stage `scripted` say, and what Codex does without any. */
const SCRIPTED_DEFAULTS = { model: 'scripted', sandbox: 'danger-full-access' };
const OWN_DEFAULTS = { model: 'gpt-6.1-sol', sandbox: 'read-only' };
const NO_TOKENS: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** `codex exec`: one turn of a session. Gives the exit code. */
export async function exec(options: ExecOptions, process: CodexProcess): Promise<number> {
  const { argv, env, cwd: here, stdin, streams } = process;
  if (options.refused !== undefined) throw new NotSupported(options.refused);
  const home = codexHome(env, here);
  const cwd = workingFolder(options, here);
  const settings = readSettings({ ...options, home, cwd });
  const text = readPrompt(options, stdin, streams);
  if (!options.skipGitCheck && repositoryOf(cwd) === undefined)
    throw new CodexRefusal('Not inside a trusted directory and --skip-git-repo-check was not specified.');
  checkSchemaFile(options, here);
  openLastMessageFile(options, here);
  const scenario = await findScenario(env, here);
  const sessions = new SessionStore(join(home, 'understudy'));
  const { resumed, session } = findSession(options, sessions, cwd);
  const { model, sandbox } = choices(options, settings, scenario.document.default_model);
  const tokens = resumed?.tokens ?? NO_TOKENS;
  const place = { home, version: CODEX_VERSION, turnId: uuidOfNow(), isNew: resumed === undefined, tokens };
  const view = new ShownTwice([
    options.json ? new JsonView(streams) : new TextView(streams, CODEX_VERSION),
    ...(options.ephemeral ? [] : [new Rollout(place)]),
  ]);
  view.onBegin({
    ...{ session: session.id, cwd, model, sandbox, prompt: text },
    ...{ approval: options.approval, effort: settings.effort, summary: settings.summary },
    warnings: [modelChange(resumed, model), modelWarning(model)].filter((line) => line !== undefined),
  });
  if (sandbox !== 'danger-full-access')
    streams.error(`understudy-codex: the stand-in has no sandbox: commands run as with danger-full-access\n`);
  const turn = await playPrompt({
    ...{ scenario, argv, env, cwd, session, sessions, view, ephemeral: options.ephemeral },
    prompt: { text: text.trim(), model, cwd },
    tools: offeredToolSet(offeredTools(model), cwd),
    liveTools: async () => {
      const { codexLiveTools } = await import('./live-tools.js');
      return codexLiveTools({ CODEX_SESSION_ID: session.id, CODEX_THREAD_ID: session.id });
    },
    retries: () => 0,
    givesUpStalled: true,
  });
  const total = addTokens(tokens, view.used);
  const saved = options.ephemeral ? undefined : sessions.find(session.id);
  if (saved !== undefined) sessions.save({ ...saved, tokens: total, model });
  return conclude(turn, options, { here, view, streams }, total);
}

function choices(
  { model, sandbox, ignoresUserConfig }: ExecOptions,
  settings: Settings,
  scripted: string | undefined,
): { model: string; sandbox: string } {
  const byDefault = ignoresUserConfig ? OWN_DEFAULTS : SCRIPTED_DEFAULTS;
  return {
    model: model ?? settings.model ?? (ignoresUserConfig ? undefined : scripted) ?? byDefault.model,
    sandbox: sandbox ?? settings.sandbox ?? byDefault.sandbox,
  };
}

function workingFolder({ cd }: ExecOptions, here: string): string {
  const folder = resolve(here, cd ?? '.');
  if (!existsSync(folder)) throw new CodexRefusal('Error: No such file or directory (os error 2)');
  return realpathSync(folder);
}

function checkSchemaFile({ schemaFile }: ExecOptions, here: string): void {
  if (schemaFile === undefined) return;
  const file = resolve(here, schemaFile);
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new CodexRefusal(`Failed to read output schema file ${schemaFile}: No such file or directory (os error 2)`);
  JSON.parse(readFileSync(file, 'utf8'));
}

/** It is there from the beginning, and stays empty when the turn fails. */
function openLastMessageFile({ lastMessageFile: file }: ExecOptions, here: string): void {
  if (file === undefined) return;
  try {
    writeFileSync(resolve(here, file), '');
  } catch (problem) {
    const known = (problem as NodeJS.ErrnoException).code === 'ENOENT';
    const why = known ? 'No such file or directory (os error 2)' : (problem as Error).message;
    throw new CodexRefusal(`Error: Failed to open last message file ${JSON.stringify(file)}: ${why}`);
  }
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
    throw new CodexRefusal(`Error: thread/resume: thread/resume failed: ${why}`);
  }
  return { session: { id: uuidOfNow(), cwd } };
}

function modelChange(resumed: SavedSession | undefined, model: string): string | undefined {
  const before = resumed?.model;
  if (before === undefined || before === model) return undefined;
  return `This session was recorded with model \`${before}\` but is resuming with \`${model}\`. Consider switching back to \`${before}\` as it may affect Codex performance.`;
}

function conclude(
  { end, lastText }: Pick<PlayedTurn, 'end' | 'lastText'>,
  { lastMessageFile }: ExecOptions,
  { here, view, streams }: { here: string; view: ShownTwice; streams: Streams },
  tokens: TokenTotals,
): number {
  if (end.kind === 'failed') view.onError(failureMessage(end.failure));
  if (end.kind === 'unanswered') view.onError(unansweredMessage(describeUnanswered(end.unanswered)));
  if (end.kind !== 'done') return EXIT_FAILED;
  if (lastMessageFile !== undefined) {
    writeFileSync(resolve(here, lastMessageFile), lastText ?? '');
    if (lastText === undefined)
      streams.error(`Warning: no last agent message; wrote empty content to ${lastMessageFile}\n`);
  }
  view.onDone(tokens);
  return 0;
}

/** The folder of Codex's settings and sessions. */
function codexHome(env: NodeJS.ProcessEnv, here: string): string {
  const named = env['CODEX_HOME'];
  if (!named) return join(env['HOME'] ?? here, '.codex');
  if (existsSync(named)) return named;
  const why = `CODEX_HOME points to ${JSON.stringify(named)}, but that path does not exist`;
  throw new CodexRefusal(
    `WARNING: proceeding, even though we could not create PATH aliases: ${why}\nError finding codex home: ${why}`,
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A UUID of version 7: later ones sort behind earlier ones. */
function uuidOfNow(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The prompt of the command line, of stdin, or of both. */
function readPrompt({ prompt, resume }: ExecOptions, stdin: Stdin, { error }: Streams): string {
  const fromStdin = prompt === undefined || prompt === '-';
  if (!fromStdin && resume !== undefined) return prompt;
  if (prompt === undefined && !stdin.isTerminal) error('Reading prompt from stdin...\n');
  if (!fromStdin && !stdin.isTerminal) error('Reading additional input from stdin...\n');
  const piped = stdin.read();
  if (!fromStdin) return joinCodexPrompt(prompt, piped);
  if (piped.trim() === '') throw new CodexRefusal('No prompt provided via stdin.');
  return piped;
}
