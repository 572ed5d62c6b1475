import { relative } from 'node:path';
import type { SavedSession, SessionStore } from '../shared/session-store.js';
import { type Project, projectOf } from './project.js';
import { Unsupported } from './refusal.js';
import { errorLine, type Streams } from './text-view.js';
import { modelNames, type SavedMessage } from './transcript.js';

const EXIT_FAILED = 1;

/** `opencode session list` */
export function listSessions(
  sessions: SessionStore,
  { cwd, format, limit }: { cwd: string; format: string; limit: number },
  { out }: Streams,
): number {
  const known = new Map<string, Project>();
  const projectIn = (folder: string): Project => {
    const project = known.get(folder) ?? projectOf(folder);
    known.set(folder, project);
    return project;
  };
  const here = projectIn(cwd).id;
  const listed = sessions
    .inFolder(undefined)
    .filter((session) => projectIn(session.cwd).id === here)
    .reverse()
    .slice(0, limit);
  if (listed.length === 0) return 0;
  if (format === 'json') {
    const described = listed.map((session) => ({
      id: session.id,
      title: session.title ?? '',
      updated: session.updated,
      created: session.created ?? session.updated,
      projectId: projectIn(session.cwd).id,
      directory: session.cwd,
    }));
    out(`${JSON.stringify(described, null, 2)}\n`);
  } else out(table(listed));
  return 0;
}

/** A title has at least this width. */
const TITLE_WIDTH = 25;

function table(sessions: readonly SavedSession[]): string {
  const wide = (texts: readonly string[], least: number): number =>
    Math.max(least, ...texts.map(({ length }) => length));
  const id = wide(
    sessions.map((session) => session.id),
    0,
  );
  const title = wide(
    sessions.map((session) => session.title ?? ''),
    TITLE_WIDTH,
  );
  const row = (...[first, second, third]: [string, string, string]): string =>
    `${first.padEnd(id)}  ${second.padEnd(title)}  ${third}`;
  const head = row('Session ID', 'Title', 'Updated');
  const rows = sessions.map((session) => row(session.id, session.title ?? '', moment(new Date(session.updated))));
  return `${[head, '─'.repeat(head.length), ...rows].join('\n')}\n`;
}

/** The time, and the date where it is not today's. */
function moment(date: Date): string {
  const time = date.toLocaleTimeString('en-US', { timeStyle: 'short' });
  return date.toDateString() === new Date().toDateString() ? time : `${time} · ${date.toLocaleDateString('en-US')}`;
}

/** `opencode session delete ID` */
export function deleteSession(sessions: SessionStore, id: string, { error }: Streams): number {
  const problem = wrongId(id) ?? (sessions.find(id) === undefined ? `Session not found: ${id}` : undefined);
  if (problem !== undefined) {
    error(errorLine(problem));
    return EXIT_FAILED;
  }
  sessions.remove(id);
  error(`\u001b[92m\u001b[1mSession ${id} deleted\u001b[0m\n`);
  return 0;
}

/** `opencode export ID` */
export function exportSession(
  sessions: SessionStore,
  id: string | undefined,
  version: string,
  streams: Streams,
): number {
  if (id === undefined) throw new Unsupported('`export` without the name of a session');
  const wrong = wrongId(id);
  if (wrong === undefined) streams.error(`Exporting session: ${id}\n`);
  const session = sessions.find(id);
  if (session === undefined) {
    streams.error(errorLine(wrong ?? `Session not found: ${id}`));
    return EXIT_FAILED;
  }
  streams.out(`${JSON.stringify(exported(session, version), null, 2)}\n`);
  return 0;
}

function wrongId(id: string): string | undefined {
  return id.startsWith('ses') ? undefined : `Unexpected error\n\nExpected a string starting with "ses", got "${id}"`;
}

const DENIED = ['question', 'plan_enter', 'plan_exit'];

function exported(
  { id, cwd, title, agent, model = '', created, updated, messages = [] }: SavedSession,
  version: string,
) {
  const project = projectOf(cwd);
  const said = (messages as SavedMessage[]).map(({ info, parts }) => ({ info: withRoot(info, project), parts }));
  const [providerID, modelID] = modelNames(model);
  const total = (count: (tokens: Tokens) => number): number =>
    said.reduce((sum, { info }) => sum + (info['role'] === 'assistant' ? count(info['tokens'] as Tokens) : 0), 0);
  return {
    info: {
      ...{ id, slug: 'scripted-session', projectID: project.id, directory: cwd, path: relative(project.root, cwd) },
      ...{ title, agent, model: { id: modelID, providerID, variant: 'default' }, version },
      summary: { additions: 0, deletions: 0, files: 0 },
      cost: 0,
      tokens: {
        ...{ input: total(({ input }) => input), output: total(({ output }) => output), reasoning: 0 },
        cache: { read: total(({ cache }) => cache.read), write: total(({ cache }) => cache.write) },
      },
      permission: DENIED.map((permission) => ({ permission, pattern: '*', action: 'deny' })),
      time: { created: created ?? updated, updated },
    },
    messages: said,
  };
}

interface Tokens {
  input: number;
  output: number;
  cache: { read: number; write: number };
}

function withRoot(info: Record<string, unknown>, { root }: Project): Record<string, unknown> {
  return info['path'] === undefined ? info : { ...info, path: { ...(info['path'] as object), root } };
}
