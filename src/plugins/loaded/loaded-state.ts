import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type McpServerState, settledServers, withLogs } from '../../agents/claude/mcp-servers.js';
import { ClaudeSession } from '../../agents/claude/session.js';
import { defaultDeadlines } from '../../agents/driver.js';
import type { EventBody, EventBodyOf } from '../../agents/events.js';
import type { FoundAgent } from '../../agents/store/find-agent.js';
import { UnderstudyError } from '../../errors.js';
import { startModelServer } from '../../model-server/server.js';
import { defineScenario } from '../../scenario/load.js';
import {
  contextUsageSchema,
  hooksListingSchema,
  type LoadedAgent,
  type LoadedCommand,
  type LoadedHook,
  reloadedSchema,
} from './answers.js';

export interface LoadedStateOptions {
  agent: FoundAgent;
  /** The CLI's home: plugins that are installed there are looked at too. */
  home: string;
  /** Folders that are loaded for this look. */
  plugins?: readonly string[];
  /** A project; absent, an empty folder in the home. */
  cwd?: string;
  /** How long MCP servers may take to connect. */
  serverMs?: number;
}

/** What the CLI really loaded, as it reports it. */
export interface LoadedState {
  version: string;
  /** The folders that were loaded for the look; an error may name one by its number. */
  folders: readonly string[];
  plugins: NonNullable<EventBodyOf<'session'>['plugins']>;
  errors: NonNullable<EventBodyOf<'session'>['pluginErrors']>;
  commands: LoadedCommand[];
  agents: LoadedAgent[];
  /** Names of what the CLI counts among its skills. */
  skills: string[];
  /** Absent where the CLI is too old to list them. */
  hooks?: LoadedHook[];
  servers: McpServerState[];
  /** Which name a file got, where the CLI tells it. */
  namesByFile: Map<string, string>;
  /** Hooks that ran during this check. */
  ran: EventBodyOf<'hook_finished'>[];
}

const SERVER_MS = 20_000;

/** Starts the CLI with the plugins, holds one short turn on a scripted model, and asks it what is there. */
export async function readLoadedState(options: LoadedStateOptions): Promise<LoadedState> {
  const { agent, home } = options;
  const cwd = options.cwd ?? join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  const scenario = defineScenario({ default_response: 'Understood.' });
  const model = await startModelServer({ scenario });
  const events: EventBody[] = [];
  try {
    const session = await ClaudeSession.start({
      found: agent,
      stage: 'scripted',
      model: { kind: 'loopback', url: model.url, key: model.key, retries: 0 },
      cwd,
      home,
      emit: (event) => events.push(event),
      permissions: () => ({ behavior: 'deny', message: 'no tool may run while plugins are checked' }),
      deadlines: { ...defaultDeadlines, turnMs: 60_000 },
      ...(options.plugins === undefined ? {} : { plugins: options.plugins }),
    });
    try {
      // The CLI tells its plugins and their errors with the first prompt only.
      const ended = await session.send('What did you load?');
      const told = events.findLast((event) => event.type === 'session' && event.plugins !== undefined);
      if (told?.type !== 'session') throw silent(ended.message);
      return await askAll(session, told, events, options);
    } finally {
      await session.end();
    }
  } finally {
    await model.close();
  }
}

async function askAll(
  session: ClaudeSession,
  told: EventBodyOf<'session'>,
  events: readonly EventBody[],
  { agent, home, plugins: folders = [], serverMs = SERVER_MS }: LoadedStateOptions,
): Promise<LoadedState> {
  const servers = await settledServers((subtype) => session.control(subtype), serverMs);
  const hooks = hooksListingSchema.safeParse(await askIfKnown(session, 'get_hooks_listing')).data?.hooks;
  const usage = contextUsageSchema.safeParse(await askIfKnown(session, 'get_context_usage')).data;
  const reloaded = reloadedSchema.parse((await askIfKnown(session, 'reload_plugins')) ?? {});
  const agents = reloaded.agents.length > 0 ? reloaded.agents : (told.agents ?? []).map((name) => ({ name }));
  const files = [
    ...(usage?.agents ?? []).map(({ agentType, path }) => [path, agentType] as const),
    ...(usage?.skills?.skillFrontmatter ?? []).map(({ name, path }) => [path, name] as const),
  ];
  const named = new Set(reloaded.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const listed = [...new Set([...(told.commands ?? []), ...(told.skills ?? [])])].filter((name) => !named.has(name));
  // The logs of servers are written when the CLI ends.
  if (servers.some(({ status }) => status === 'failed')) await session.end();
  return {
    version: told.version ?? agent.version,
    folders,
    plugins: told.plugins ?? [],
    errors: told.pluginErrors ?? [],
    commands: [...reloaded.commands, ...listed.map((name) => ({ name }))],
    agents,
    skills: [...(told.skills ?? []), ...(usage?.skills?.skillFrontmatter ?? []).map(({ name }) => name)],
    ...(hooks === undefined ? {} : { hooks }),
    servers: await withLogs(servers, home),
    namesByFile: new Map(files.flatMap(([path, name]) => (path === undefined ? [] : [[path, name] as const]))),
    ran: events.filter((event): event is EventBodyOf<'hook_finished'> => event.type === 'hook_finished'),
  };
}

/** Older CLIs refuse some questions; what they cannot tell stays unknown. */
async function askIfKnown(session: ClaudeSession, subtype: string): Promise<unknown> {
  try {
    return await session.control(subtype);
  } catch (error) {
    if (error instanceof UnderstudyError && error.code === 'AGENT_REFUSED') return undefined;
    throw error;
  }
}

function silent(why: string | undefined): UnderstudyError {
  return new UnderstudyError(
    'PLUGINS_NOT_REPORTED',
    `Claude Code did not report what it loaded${why === undefined ? '' : `: ${why}`}`,
    { fix: 'Use a newer Claude Code: understudy agents add claude.' },
  );
}
