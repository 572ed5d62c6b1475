import { writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { loadsPlugins, recordHooks, type Stage, stages } from '@understudy/agents';
import { defined, makeFolder, UnderstudyError } from '@understudy/kit';
import { loadScenario, type Scenario, toScenario } from '@understudy/script';
import {
  Conversation,
  type Mocks,
  portsOf,
  preparePlugins,
  proxyFor,
  readableNextTo,
  readPlugin,
  type ServerConfig,
} from '@understudy/stage';
import { HeldConversation } from './held-conversation.js';
import { freshId } from './ids.js';

/** What somebody asks for who wants to talk to an agent. */
export interface HeldConversationOptions {
  agent?: string | undefined;
  stage?: Stage | undefined;
  /** A file, or the document itself. */
  scenario?: string | Record<string, unknown> | undefined;
  /** The recording that is played or written. */
  cassette?: string | undefined;
  record?: boolean | undefined;
  fromTurn?: number | undefined;
  plugins?: readonly string[] | undefined;
  workflow?: string | undefined;
  permissions?: 'allow' | 'deny' | undefined;
  /** More MCP servers for the agent, as in a `.mcp.json` (Claude Code). */
  mcpServers?: Readonly<Record<string, ServerConfig>> | undefined;
  model?: string | undefined;
  turnMs?: number | undefined;
  /** How far the agent is kept apart from this machine. */
  isolation?: string | undefined;
}

export interface StartContext {
  /** A folder of the harness for what is written about conversations. */
  folder: string;
  project: string;
  mocks: Mocks;
  /** Plugins that are installed, besides those that the wish names. */
  installed: readonly string[];
  allowLive: boolean;
}

/** The live stage spends money: it must be allowed. */
export function assertStageAllowed(stage: Stage, allowLive: boolean): void {
  if (stage !== 'live' || allowLive) return;
  throw new UnderstudyError('HARNESS_NO_LIVE', 'the live stage spends money, and it was not allowed', {
    fix: `Use ${stages.filter((one) => one !== 'live').join(', ')}, or start the server with --allow-live.`,
  });
}

/** Starts an agent and holds the conversation with it. */
export async function startConversation(
  options: HeldConversationOptions,
  context: StartContext,
): Promise<HeldConversation> {
  const { agent = 'claude', stage = 'scripted' } = options;
  assertStageAllowed(options.record === true ? 'live' : stage, context.allowLive);
  const id = freshId('session');
  const artifacts = join(context.folder, id);
  makeFolder(artifacts);
  const plugins = [...new Set([...context.installed, ...(options.plugins ?? [])])];
  const proxies = { mocks: context.mocks, folder: artifacts };
  const folders = preparePlugins(plugins, {
    folder: artifacts,
    concerns: (server) => context.mocks.concern(server),
    change: (server, config) =>
      config !== undefined && context.mocks.concern(server) ? proxyFor(server, config, proxies) : undefined,
  });
  const config = serverArguments(options, folders, context.mocks, artifacts);
  // What hooks get and SessionEnd are seen on their own side only.
  const recorder = loadsPlugins(agent) ? recordHooks(join(artifacts, 'hooks')) : undefined;
  let held: HeldConversation | undefined;
  const conversation = await Conversation.start({
    ...{ agent, stage, artifacts, cwd: context.project, plugins: folders, args: config },
    ...(options.scenario === undefined ? {} : { scenario: scenarioOf(options.scenario) }),
    ...defined({
      workflow: options.workflow,
      cassette: options.cassette,
      record: options.record,
      fromTurn: options.fromTurn,
      permissions: options.permissions,
      modelName: options.model,
    }),
    ...(options.turnMs === undefined ? {} : { deadlines: { turnMs: options.turnMs } }),
    ...defined({ recordHooks: recorder, isolation: options.isolation }),
    reach: {
      writable: [artifacts],
      readable: [dirname(context.mocks.file), ...programsOf(options.mcpServers)],
      ports: portsOf(
        Object.values(options.mcpServers ?? {}).map((server) => ('url' in server ? server.url : undefined)),
      ),
    },
    onEvent: (event) => held?.push(event),
  });
  held = new HeldConversation(
    { id, agent, stage, plugins, artifacts, project: context.project },
    conversation,
    recorder,
  );
  return held;
}

/** The folders of programs and scripts that the servers are. */
function programsOf(servers: HeldConversationOptions['mcpServers'] = {}): string[] {
  return Object.values(servers)
    .flatMap((server) => ('command' in server ? [server.command, ...(server.args ?? [])] : []))
    .filter((word) => isAbsolute(word))
    .flatMap((word) => readableNextTo(word));
}

function scenarioOf(scenario: string | Record<string, unknown>): Scenario {
  return typeof scenario === 'string' ? loadScenario(scenario) : toScenario({ value: scenario });
}

/** The arguments that bring servers to the agent: those of the wish, and mocks that stand for a server by themselves. */
function serverArguments(
  { agent = 'claude', mcpServers = {} }: HeldConversationOptions,
  plugins: readonly string[],
  mocks: Mocks,
  folder: string,
): string[] {
  const context = { mocks, folder };
  const servers: Record<string, ServerConfig> = {};
  for (const [name, config] of Object.entries(mcpServers)) {
    servers[name] = mocks.concern(name) ? proxyFor(name, config, context) : config;
  }
  const alone = mocks.all.filter(
    ({ server, replace }) => replace && server !== undefined && servers[server] === undefined,
  );
  for (const { server } of alone) {
    if (server !== undefined && !isOfPlugin(server, plugins)) servers[server] = proxyFor(server, undefined, context);
  }
  if (Object.keys(servers).length === 0) return [];
  if (!loadsPlugins(agent)) {
    throw new UnderstudyError('HARNESS_NO_MCP_FOR_AGENT', `MCP servers cannot be given to ${agent} here`, {
      fix: 'Write them into the configuration of that CLI in the project.',
    });
  }
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  return ['--mcp-config', file];
}

function isOfPlugin(server: string, plugins: readonly string[]): boolean {
  return plugins.some((root) =>
    readPlugin(root).components.some((component) => component.kind === 'server' && component.name === server),
  );
}
