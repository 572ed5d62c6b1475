import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, type ConfigPaths, projectSlug } from '@understudy/agents';
import { isObject, type JsonObject, parseJson } from '@understudy/kit';
import type { PlayState } from '@understudy/script';
import type { Options } from '../cli/options.js';
import { isUuid, uuid } from '../output/ids.js';
import { STATE_LINE } from './transcript.js';

/** A session of an earlier process. */
export interface StoredSession {
  id: string;
  path: string;
  lines: JsonObject[];
  /** The scenario's turn state; absent in a transcript of the real CLI. */
  play?: PlayState;
  leaf: string | null;
  model?: string;
  modelUsage?: unknown;
  prompts: number;
}

/** The session that the command line resumes, if any. Throws the error of the real CLI when there is none. */
export function findStoredSession(options: Options, paths: ConfigPaths, projectDir: string): StoredSession | undefined {
  const { resume } = options;
  if (resume === true) {
    throw new NoSuchSession(
      uuid(),
      'Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>',
    );
  }
  if (resume !== undefined) return byIdOrTitle(resume, paths, projectDir);
  if (!options.continue) return undefined;
  const latest = newestFirst(join(paths.projects, projectSlug(projectDir)))[0];
  return latest === undefined ? undefined : withMessages(readSession(latest));
}

/** `--continue` goes on from a message. A session without one keeps its id, and begins anew. */
function withMessages(session: StoredSession): StoredSession {
  if (session.lines.some(({ type }) => type === 'user' || type === 'assistant')) return session;
  return { ...session, leaf: null, lines: session.lines.filter(({ uuid: id }) => id === undefined) };
}

/** Whether a session of that id exists. */
export function sessionExists(id: string, paths: ConfigPaths, projectDir: string): boolean {
  return pathOf(id, paths, projectDir) !== undefined;
}

/** Thrown when `--resume` names a session that does not exist. In a stream it is a result line too. */
export class NoSuchSession extends CliError {
  readonly sessionId: string;

  constructor(sessionId: string, message = `No conversation found with session ID: ${sessionId}`) {
    super(message);
    this.sessionId = sessionId;
  }
}

function byIdOrTitle(wanted: string, paths: ConfigPaths, projectDir: string): StoredSession {
  if (isUuid(wanted)) {
    const path = pathOf(wanted, paths, projectDir);
    if (path === undefined) throw new NoSuchSession(wanted);
    return readSession(path);
  }
  const title = `"customTitle":${JSON.stringify(wanted)}`;
  const titled = newestFirst(join(paths.projects, projectSlug(projectDir))).find((path) =>
    readFileSync(path, 'utf8').includes(title),
  );
  if (titled !== undefined) return readSession(titled);
  throw new NoSuchSession(
    uuid(),
    'Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume ' +
      `<session-id|title>. Provided value "${wanted}" is not a UUID and does not match any session title.`,
  );
}

/** Sessions are looked for in the project first, then in all others. */
function pathOf(id: string, paths: ConfigPaths, projectDir: string): string | undefined {
  const here = projectSlug(projectDir);
  const others = listFolder(paths.projects).filter((name) => name !== here);
  return [here, ...others].map((name) => join(paths.projects, name, `${id}.jsonl`)).find(isFile);
}

/** Reads a transcript. Lines that are not valid JSON are left out. */
function readSession(path: string): StoredSession {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => parseJson(line))
    .filter(isObject);
  const id = path.slice(path.lastIndexOf('/') + 1, -'.jsonl'.length);
  const session: StoredSession = { id, path, lines, leaf: null, prompts: 0 };
  for (const line of lines) applyLine(session, line);
  return session;
}

function applyLine(session: StoredSession, line: JsonObject): void {
  const { type, uuid, message } = line;
  if (type === STATE_LINE && isPlayState(line['play'])) session.play = line['play'];
  if (type === 'cost-state') session.modelUsage = line['modelUsage'];
  if (
    typeof uuid === 'string' &&
    (type === 'user' || type === 'assistant' || type === 'attachment' || type === 'system')
  )
    session.leaf = uuid;
  if (isPrompt(line)) session.prompts++;
  if (type !== 'assistant' || !isObject(message)) return;
  const { model } = message;
  if (typeof model === 'string' && model !== '<synthetic>') session.model = model;
}

/** Commands of the CLI, what they print and summaries are lines in the user's role, and no prompts. */
function isPrompt({ type, message, isMeta, isCompactSummary }: JsonObject): boolean {
  if (type !== 'user' || !isObject(message) || isMeta === true || isCompactSummary === true) return false;
  const { content } = message;
  return typeof content === 'string' && !/^<(?:command-name|local-command-\w+)>/.test(content);
}

function isPlayState(value: unknown): value is PlayState {
  return isObject(value) && typeof value['turn'] === 'number' && isObject(value['matches']);
}

function newestFirst(folder: string): string[] {
  return listFolder(folder)
    .filter((name) => name.endsWith('.jsonl') && isUuid(name.slice(0, -'.jsonl'.length)))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .sort((a, b) => b.time - a.time)
    .map(({ path }) => path);
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
