import { findAgent, isUnreported, loadsPlugins, pluginFolder, type Stage } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import {
  askLoaded,
  type Conversation,
  type DeclaredHook,
  type DeclaredPlugin,
  inspectTogether,
  namingHidden,
  type PluginReport,
  pick,
  readPlugin,
  readProject,
  reportFiles,
  reportPlugin,
  SERVER_MS,
  withComponents,
} from '@understudy/stage';
import { type CheckResult, statusOf } from '@understudy/verdict';

interface PlaceOfLook {
  agent: string;
  stage: Stage;
  isolation?: string | undefined;
  /** What the project declared when the conversation began: the agent may change it. */
  project?: DeclaredPlugin | undefined;
}

/** What the plugins of rehearsals are worth, found out once for each set of them in a run. */
export class PluginLooks {
  readonly #looks = new Map<string, Promise<PluginReport[]>>();

  /** Judges the plugins of a conversation that is about to end, as `understudy plugin` does: one check for each. */
  async check(
    conversation: Conversation,
    plugins: readonly string[],
    { agent, stage, isolation: level, project }: PlaceOfLook,
  ): Promise<CheckResult[]> {
    const isolation = pick(conversation.events, 'isolation').at(-1);
    const ofProject =
      project === undefined
        ? []
        : [checkProject(namingHidden(withServers(reportFiles(project), conversation), project, isolation))];
    if (plugins.length === 0) return ofProject;
    const folders = plugins.map(pluginFolder);
    const key = JSON.stringify([agent, stage === 'sim', folders]);
    const known = this.#looks.get(key);
    const look =
      known ?? (stage === 'sim' ? lookAtFiles(folders) : ask(conversation, folders, { agent, isolation: level }));
    this.#looks.set(key, look);
    // What could not be found out in one conversation is asked again in the next.
    look.catch(() => this.#looks.delete(key));
    const reports = await look;
    const ofPlugins = reports.map((report) => (stage === 'sim' ? withServers(report, conversation) : report));
    return [
      ...ofPlugins.map((report) => checkPlugin(namingHidden(report, readPlugin(report.path), isolation))),
      ...ofProject,
    ];
  }
}

/** What a project declares to the agent, as it is now. */
export function projectOf(agent: string, folder: string): DeclaredPlugin | undefined {
  return loadsPlugins(agent) ? readProject(folder) : undefined;
}

/** Whether a plugin, or the project, has hooks that the CLI does not report: one that dies is seen on its own side alone. */
export function hasUnreportedHooks(plugins: readonly string[], project: DeclaredPlugin | undefined): boolean {
  return hooksOf(plugins, project).some(({ event }) => isUnreported(event));
}

/** Whether all hooks are commands for a shell: only those can be recorded. */
export function onlyCommandHooks(plugins: readonly string[], project: DeclaredPlugin | undefined): boolean {
  return hooksOf(plugins, project).every(({ type, args }) => type === 'command' && args === undefined);
}

function hooksOf(plugins: readonly string[], project: DeclaredPlugin | undefined): DeclaredHook[] {
  const declared = [
    ...plugins.map((plugin) => readPlugin(pluginFolder(plugin))),
    ...(project === undefined ? [] : [project]),
  ];
  return declared.flatMap(({ components }) => components.filter((part) => part.kind === 'hook'));
}

async function lookAtFiles(folders: readonly string[]): Promise<PluginReport[]> {
  return folders.map((folder) => reportFiles(readPlugin(folder)));
}

/** The session is asked itself; where it cannot answer (its first prompt was blocked, it died), one of our own is. */
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

/** The session starts MCP servers for real, and reports which of them failed. */
function withServers(report: PluginReport, { events }: Conversation): PluginReport {
  const told = pick(events, 'session').flatMap(({ mcpServers = [] }) => mcpServers);
  const components = report.components.map((component) => {
    const own = told.filter(
      ({ name }) => component.kind === 'server' && [component.name, `plugin:${component.name}`].includes(name),
    );
    if (component.status === 'failed' || own.at(-1)?.status !== 'failed') return component;
    const why = own.findLast(({ error }) => error !== undefined)?.error;
    const reason = `it did not start${why === undefined ? '' : `: ${why}`}`;
    return { ...component, status: 'failed' as const, reason, fix: 'Make it start.' };
  });
  return withComponents(report, components);
}

function checkPlugin(report: PluginReport): CheckResult {
  return {
    ...{ name: 'plugins are sound', subject: { kind: 'plugin', names: [report.plugin] } },
    ...judged(report, report.plugin),
  };
}

function checkProject(report: PluginReport): CheckResult {
  return { ...{ name: 'project is sound', subject: { kind: 'project' } }, ...judged(report, 'the project') };
}

type Judged = Omit<CheckResult, 'name' | 'subject'>;

function judged({ path, ok, problems, components }: PluginReport, what: string): Judged {
  const failed = components.filter(({ status }) => status === 'failed');
  const wrong = [
    ...problems.map(({ reason }) => reason),
    ...failed.map(({ name, event, reason }) => `${event === undefined ? name : `${event}: ${name}`}: ${reason}`),
  ];
  const fix = [...problems, ...failed][0]?.fix;
  return {
    category: 'plugins',
    status: statusOf(ok),
    expected: `all of ${what} loads as its files declare`,
    actual: ok ? 'it does' : wrong.join('; '),
    evidence: ok ? [] : [path, ...wrong],
    ...(fix === undefined ? {} : { suggestion: `${fix} If it is meant to be so, expect \`plugins = "any"\`.` }),
  };
}
