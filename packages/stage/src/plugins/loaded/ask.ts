import { basename, dirname } from 'node:path';
import { type EventBodyOf, type McpServerState, SKILL_FILE, settledServers } from '@understudy/agents';
import { defined, inWords, UnderstudyError } from '@understudy/kit';
import {
  contextUsageSchema,
  hooksListingSchema,
  type LoadedAgent,
  type LoadedCommand,
  type LoadedHook,
  reloadedSchema,
} from './answers.js';
import { type ListedAgent, listedAgents } from './listed-agents.js';

/** Somebody who puts questions to the CLI over its control channel. */
export interface Asker {
  control(subtype: string): Promise<unknown>;
}

/** What the CLI really loaded, as it reports it. */
export interface LoadedAnswers {
  version: string;
  plugins: NonNullable<EventBodyOf<'session'>['plugins']>;
  errors: NonNullable<EventBodyOf<'session'>['pluginErrors']>;
  commands: LoadedCommand[];
  agents: LoadedAgent[];
  /** Names of what the CLI counts among its skills. */
  skills: string[];
  /** Absent where the CLI is too old to list them. */
  hooks?: LoadedHook[];
  servers: McpServerState[];
  /** Which names a file got, where the CLI reports it. */
  namesByFile: ReadonlyMap<string, readonly string[]>;
  /** What the model's tool list says of the agents, where the requests are known. */
  listedAgents: ReadonlyMap<string, ListedAgent>;
}

export interface AskOptions {
  /** What the CLI said of itself with its first prompt. */
  session: EventBodyOf<'session'>;
  /** What the model was sent. */
  requests: readonly unknown[];
  /** How long MCP servers may take to connect. */
  serverMs: number;
}

/** Asks a CLI that has had a prompt what it loaded. */
export async function askLoaded(asker: Asker, { session, requests, serverMs }: AskOptions): Promise<LoadedAnswers> {
  const servers = await settledServers((subtype) => asker.control(subtype), serverMs);
  const hooks = hooksListingSchema.safeParse(await askIfKnown(asker, 'get_hooks_listing')).data?.hooks;
  const usage = contextUsageSchema.safeParse(await askIfKnown(asker, 'get_context_usage')).data;
  const reloaded = reloadedSchema.parse((await askIfKnown(asker, 'reload_plugins')) ?? {}, inWords);
  const listed = new Set([...(session.commands ?? []), ...(session.skills ?? [])]);
  const commands = reloaded.commands.map((command) => asListed(command, listed));
  // A command and a skill can have one name in their front matter: then the file shows which of them is meant.
  const official = (name: string, path: string | undefined): string => {
    const all = commands.filter((_one, index) => reloaded.commands[index]?.name === name).map((one) => one.name);
    return all.find((one) => path !== undefined && one.split(':').at(-1) === nameOfFile(path)) ?? all[0] ?? name;
  };
  const namesByFile = new Map<string, string[]>();
  const keep = (path: string | undefined, name: string): void => {
    if (path !== undefined) namesByFile.set(path, [...(namesByFile.get(path) ?? []), name]);
  };
  const skills = usage?.skills?.skillFrontmatter ?? [];
  for (const { agentType, path } of usage?.agents ?? []) keep(path, agentType);
  for (const { name, path } of skills) keep(path, official(name, path));
  const named = new Set(commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const agents = session.agents ?? [];
  return {
    version: session.version ?? '?',
    plugins: session.plugins ?? [],
    errors: session.pluginErrors ?? [],
    commands: [...commands, ...[...listed].filter((name) => !named.has(name)).map((name) => ({ name }))],
    agents: reloaded.agents.length > 0 ? reloaded.agents : agents.map((name) => ({ name })),
    skills: [...(session.skills ?? []), ...skills.map(({ name, path }) => official(name, path))],
    ...defined({ hooks }),
    servers,
    namesByFile,
    listedAgents: listedAgents(requests, agents),
  };
}

/** The name that a command or a skill has by its place. */
function nameOfFile(path: string): string {
  return basename(path) === SKILL_FILE ? basename(dirname(path)) : basename(path, '.md');
}

/** A command under the name that the session lists: the answer puts the name of the front matter first, and that of the path last. */
function asListed(command: LoadedCommand, listed: ReadonlySet<string>): LoadedCommand {
  const { name, aliases = [] } = command;
  const official = [name, ...aliases].findLast((one) => listed.has(one)) ?? name;
  return official === name
    ? command
    : { ...command, name: official, aliases: [name, ...aliases.filter((one) => one !== official)] };
}

/** Older CLIs refuse some questions; what they do not answer stays unknown. */
async function askIfKnown(asker: Asker, subtype: string): Promise<unknown> {
  try {
    return await asker.control(subtype);
  } catch (error) {
    if (error instanceof UnderstudyError && error.code === 'AGENT_REFUSED') return undefined;
    throw error;
  }
}
