import type { Stage } from '../agents/driver.js';
import { findAgent } from '../agents/store/find-agent.js';
import { type CheckResult, statusOf } from '../checks/result.js';
import { pluginFolder } from '../claude-code/plugins/folder.js';
import type { Conversation } from '../conversation/conversation.js';
import { pick } from '../conversation/turn.js';
import { UnderstudyError } from '../errors.js';
import { readPlugin } from '../plugins/declared/plugin.js';
import { namingHiddenServers } from '../plugins/hidden-servers.js';
import { inspectTogether, reportPlugin } from '../plugins/inspect.js';
import { askLoaded } from '../plugins/loaded/ask.js';
import { SERVER_MS } from '../plugins/loaded/loaded-state.js';
import { type PluginReport, withComponents } from '../plugins/report.js';
import { reportFiles } from '../plugins/report-files.js';

/** What the plugins of rehearsals are worth, found out once for each set of them in a run. */
export class PluginLooks {
  readonly #looks = new Map<string, Promise<PluginReport[]>>();

  /** Judges the plugins of a conversation that is about to end, as `understudy plugin` does: one check for each. */
  async check(
    conversation: Conversation,
    plugins: readonly string[],
    { agent, stage, isolation: level }: { agent: string; stage: Stage; isolation?: string | undefined },
  ): Promise<CheckResult[]> {
    if (plugins.length === 0) return [];
    const folders = plugins.map(pluginFolder);
    const key = JSON.stringify([agent, stage === 'sim', folders]);
    const known = this.#looks.get(key);
    const look =
      known ?? (stage === 'sim' ? lookAtFiles(folders) : ask(conversation, folders, { agent, isolation: level }));
    this.#looks.set(key, look);
    // What could not be found out in one conversation is asked again in the next.
    look.catch(() => this.#looks.delete(key));
    const reports = await look;
    const isolation = pick(conversation.events, 'isolation').at(-1);
    return reports
      .map((report) => (stage === 'sim' ? withServers(report, conversation) : report))
      .map((report) => checkPlugin(namingHiddenServers(report, isolation)));
  }
}

async function lookAtFiles(folders: readonly string[]): Promise<PluginReport[]> {
  return folders.map((folder) => reportFiles(readPlugin(folder)));
}

/** The session is asked itself; where it cannot tell (its first prompt was blocked, it died), one of our own is. */
async function ask(
  conversation: Conversation,
  folders: readonly string[],
  { agent, isolation }: { agent: string; isolation: string | undefined },
): Promise<PluginReport[]> {
  const session = pick(conversation.events, 'session').findLast(({ plugins }) => plugins !== undefined);
  const lookAgain = async () => inspectTogether(folders, { agent: await findAgent(agent), isolation });
  if (session === undefined || conversation.hasDied) return lookAgain();
  const requests = conversation.server?.journal.entries().map(({ body }) => body) ?? [];
  const answers = await askLoaded(conversation, { session, requests, serverMs: SERVER_MS }).catch((error: unknown) => {
    // It ended while it was asked.
    if (error instanceof UnderstudyError && error.code === 'AGENT_ENDED') return undefined;
    throw error;
  });
  if (answers === undefined) return lookAgain();
  return folders.map((folder) => reportPlugin(readPlugin(folder), { ...answers, folders, ran: [] }));
}

/** The stand-in starts MCP servers for real, and tells which of them failed. */
function withServers(report: PluginReport, { events }: Conversation): PluginReport {
  const servers = pick(events, 'session').findLast(({ mcpServers }) => mcpServers !== undefined)?.mcpServers ?? [];
  const components = report.components.map((component) => {
    const found = servers.find(({ name }) => component.kind === 'server' && name === `plugin:${component.name}`);
    if (component.status === 'failed' || found?.status !== 'failed') return component;
    return { ...component, status: 'failed' as const, reason: 'it did not start', fix: 'Make it start.' };
  });
  return withComponents(report, components);
}

function checkPlugin({ plugin, path, ok, problems, components }: PluginReport): CheckResult {
  const failed = components.filter(({ status }) => status === 'failed');
  const wrong = [
    ...problems.map(({ reason }) => reason),
    ...failed.map(({ name, event, reason }) => `${event === undefined ? name : `${event}: ${name}`}: ${reason}`),
  ];
  const fix = [...problems, ...failed][0]?.fix;
  return {
    name: 'plugins are sound',
    category: 'plugins',
    subject: { kind: 'plugin', names: [plugin] },
    status: statusOf(ok),
    expected: `all of ${plugin} loads as its files declare`,
    actual: ok ? 'it does' : wrong.join('; '),
    evidence: ok ? [] : [path, ...wrong],
    ...(fix === undefined ? {} : { suggestion: `${fix} If it is meant to be so, expect \`plugins = "any"\`.` }),
  };
}
