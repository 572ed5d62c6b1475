import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  ClaudeSession,
  defaultDeadlines,
  type EventBody,
  type FoundAgent,
  type HookRecording,
  type McpServerState,
  recordHooks,
  withLogs,
} from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import { openStage } from '../../conversation/open-stage.js';
import { portsOf } from '../../isolation/isolation.js';
import type { Isolation } from '../../isolation/provider.js';
import { askLoaded, type LoadedAnswers } from './ask.js';
import { isolateLook, type LookIsolation, stateOf, triedIn } from './isolate.js';

export interface LoadedStateOptions extends LookIsolation {
  agent: FoundAgent;
  /** The CLI's home: plugins that are installed there are looked at too. */
  home: string;
  /** Folders that are loaded for this look. */
  plugins?: readonly string[];
  /** Other folders that the CLI reads: marketplaces in a folder. */
  readable?: readonly string[];
  /** A project; absent, an empty folder in the home. */
  cwd?: string;
  /** How long MCP servers may take to connect. */
  serverMs?: number;
}

/** What the CLI really loaded, and what was seen of it from outside. */
export interface LoadedState extends LoadedAnswers {
  /** The folders that were loaded for the look; an error may name one by its number. */
  folders: readonly string[];
  servers: McpServerState[];
  /** The shell commands of hooks that ran during this look. */
  ran: Pick<HookRecording, 'event' | 'command' | 'exitCode' | 'stdout' | 'stderr'>[];
  /** What was around the CLI in this look, and what was tried there and not allowed. */
  isolation?: Pick<Isolation, 'level' | 'reason' | 'hidden'>;
  tried?: readonly string[];
}

export const SERVER_MS = 20_000;

/** Starts the CLI with the plugins, holds one short turn on a scripted model, and asks it what is there. */
export async function readLoadedState(options: LoadedStateOptions): Promise<LoadedState> {
  const { agent, home, plugins: folders = [], serverMs = SERVER_MS } = options;
  const cwd = options.cwd ?? join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  const model = await openStage('scripted', { scenario: { default_response: 'Understood.' }, agents: ['claude'] });
  const events: EventBody[] = [];
  let isolation: Isolation | undefined;
  const recorder = recordHooks(join(home, 'hook-runs'));
  try {
    isolation = await isolateLook(options, {
      writable: [home, cwd],
      readable: [...agent.command, ...folders, ...(options.readable ?? [])],
      ports: portsOf([model.server.url]),
    });
    if (isolation.records !== undefined) recorder.readFrom(isolation.records);
    const session = await ClaudeSession.start({
      found: agent,
      stage: 'scripted',
      model: model.access('claude', 0),
      cwd,
      home,
      emit: (event) => events.push(event),
      permissions: () => ({ behavior: 'deny', message: 'no tool may run while plugins are checked' }),
      deadlines: { ...defaultDeadlines, turnMs: 60_000 },
      environment: recorder.environment,
      enclosure: isolation.enclosure,
      plugins: folders,
    });
    try {
      // The CLI reports its plugins and their errors with the first prompt only.
      const ended = await session.send('What did you load?');
      const told = events.findLast((event) => event.type === 'session' && event.plugins !== undefined);
      if (told?.type !== 'session') throw silent(ended.message);
      const requests = model.server.journal.entries().map(({ body }) => body);
      const state = await askLoaded(session, { session: told, requests, serverMs });
      // At the end, SessionEnd hooks run, and the logs of servers are written.
      await session.end();
      const servers = await withLogs(state.servers, home);
      const ran = recorder.readLog();
      const written = [...ran, ...servers.map(({ error, log }) => ({ stdout: error, stderr: log }))];
      const around = { ...stateOf(isolation), hidden: isolation.hidden };
      return { ...state, folders, servers, ran, isolation: around, tried: triedIn(isolation, written) };
    } finally {
      await session.end();
    }
  } finally {
    await model.close();
    await isolation?.close();
  }
}

function silent(why: string | undefined): UnderstudyError {
  return new UnderstudyError(
    'PLUGINS_NOT_REPORTED',
    `Claude Code did not report what it loaded${why === undefined ? '' : `: ${why}`}`,
    { fix: 'Use a newer Claude Code: understudy agents add claude.' },
  );
}
