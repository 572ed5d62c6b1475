import { appendFileSync, existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { matcherCovers } from '@understudy/agents';
import { ownCommand, readIfThere, UnderstudyError, USER_FILE, writeWhole } from '@understudy/kit';
import { loadRehearsal } from '@understudy/runner';
import {
  type DeclaredHook,
  type DeclaredPlugin,
  type DeclaredServer,
  type DeclaredText,
  type HiddenProgram,
  hiddenHere,
  hiddenPrograms,
  notVisible,
  readPlugin,
  VISIBLE_FIX,
} from '@understudy/stage';
import { simRefuses } from '../document-check/sim-refuses.js';
import { type HookParts, hookParts } from './hook-parts.js';
import { type Part, ruleFor, type Skipped } from './part.js';
import { rehearsalText } from './rehearsal-text.js';
import { schemaLine } from './schema-line.js';
import { type ServerParts, serverParts } from './server-parts.js';
import {
  agentPart,
  commandPart,
  forkedCommandPart,
  forkedLine,
  forkedSkillPart,
  nameText,
  skillPart,
} from './text-parts.js';
import { HookTrial } from './try-hooks.js';

/** The result of `understudy init`. */
export interface Scaffolded {
  plugin: string;
  /** The path of the rehearsal, relative to the current folder. */
  file: string;
  /** What the rehearsal tests: the names of its steps. */
  steps: string[];
  /** The commands that the rehearsal sends. */
  commands: string[];
  /** Parts of the plugin that are not tested or do not work, with the reason. */
  skipped: Skipped[];
  written: string[];
}

export interface ScaffoldOptions {
  force?: boolean;
  /** Fire the hooks and start the MCP servers once, to see what they do. */
  start?: boolean;
  /** How far the hooks and servers are kept apart from this machine, as `--isolation`. */
  isolation?: string | undefined;
  /** Receives what is tried, before it is tried. */
  say?: (what: string) => void;
  /** Where `rehearsals/` is; absent, in the folder of the plugin. */
  into?: string;
  /** The version of this package, for the address of the schema. */
  version?: string;
}

/** A folder with one of these is a plugin. */
const PLUGIN_FILES = ['.claude-plugin/plugin.json', 'commands', 'skills', 'agents', 'hooks/hooks.json', '.mcp.json'];
const IGNORED_FOLDER = '.understudy/';

/** Writes a first rehearsal for the plugin in a folder, and adds the folder of run artifacts to .gitignore. */
export async function scaffoldRehearsal(
  folder: string,
  { force = false, start = true, isolation, say = () => {}, version = 'latest', into = folder }: ScaffoldOptions = {},
): Promise<Scaffolded> {
  const plugin = readPluginIn(folder);
  const file = join(into, 'rehearsals', `${plugin.name.replace(/[^\w.-]+/g, '-')}.rehearsal.toml`);
  if (existsSync(file) && !force) {
    throw new UnderstudyError('SCAFFOLD_EXISTS', `${file} exists`, {
      fix: `Run it with: ${ownCommand()} run ${file}. To overwrite it, add --force.`,
    });
  }
  const sound = plugin.components.filter(({ issue }) => issue === undefined);
  const texts = sound.filter((part): part is DeclaredText => 'names' in part).map((text) => nameText(plugin, text));
  const unknown = texts.filter((text) => text.isForked && forkedLine(text) === undefined);
  const known = texts.filter((text) => !unknown.includes(text));
  const commands = known.filter(
    ({ text: { kind, hidesFromModel } }) => kind === 'command' || (kind === 'skill' && hidesFromModel),
  );
  const skills = known.filter(({ text: { kind, hidesFromModel } }) => kind === 'skill' && !hidesFromModel);
  const hooks = sound.filter((part): part is DeclaredHook => part.kind === 'hook');
  const hidden = start ? hiddenPrograms(plugin, await hiddenHere(isolation)) : [];
  const servers = await serverParts(
    plugin,
    // What is not there cannot be started.
    sound.filter(
      (part): part is DeclaredServer => part.kind === 'server' && !hidden.some(({ component }) => component === part),
    ),
    { start, say, isolation },
  );
  const unseen = hidden.map(({ component }) => labelOf(component));
  const fromHooks = await tryHooks(plugin, hooks, { start, say, isolation, unseen });
  const parts = withTurnHooks(plugin, fromHooks, [
    ...commands.map((text) =>
      withExpansionHook(text.isForked ? forkedCommandPart(text) : commandPart(text), text.name, hooks),
    ),
    ...skills.map((text) => (text.isForked ? forkedSkillPart(text) : skillPart(text))),
    ...texts.filter(({ text }) => text.kind === 'agent').map(agentPart),
    ...fromHooks.parts,
    ...servers.parts,
  ]);
  const options = {
    schemaLine: schemaLine(file, version),
    plugin: plugin.name,
    path: relative(dirname(resolve(file)), plugin.root)
      .split(sep)
      .join('/'),
    ...fromHooks,
    ...servers,
    absentServers: [...servers.absentServers, ...hidden.flatMap(absentOf)],
    parts,
  };
  writeWhole(file, rehearsalText(options), USER_FILE);
  const [refusal] = await simRefuses(loadRehearsal(file));
  const fork = skills.find(({ isForked }) => isForked);
  const notOnSim =
    refusal?.message ?? (fork && `the model calls ${fork.name}, which works in a subagent (context: fork)`);
  if (notOnSim !== undefined) writeWhole(file, rehearsalText({ ...options, notOnSim }), USER_FILE);
  return {
    plugin: plugin.name,
    file,
    steps: parts.map(({ name }) => name),
    commands: commands.map(({ name }) => name),
    skipped: [
      ...plugin.components.flatMap((component) =>
        [component.issue ?? ('defect' in component ? component.defect : undefined)].flatMap((issue) =>
          issue === undefined ? [] : [{ name: labelOf(component), ...issue }],
        ),
      ),
      ...hidden.map(({ component, what }) => ({
        ...{ name: labelOf(component), reason: `${notVisible(what)}.`, fix: VISIBLE_FIX },
      })),
      ...unknown.map(({ short, text: { kind } }) => ({ name: `${kind} ${short}`, ...FORKED })),
      ...fromHooks.skipped,
      ...servers.skipped,
    ],
    written: [file, ...addToGitignore(into)],
  };
}

/** A server that cannot start in the sandbox is left out of the rehearsal. */
function absentOf({ component, what }: HiddenProgram): ServerParts['absentServers'] {
  return component.kind === 'server' ? [{ name: component.name, reason: `${notVisible(what)}.` }] : [];
}

const FORKED = {
  reason: 'it works in a subagent of its own (context: fork), and no line of its text stays as it is written.',
  fix: 'Add a step for it by hand: its text is the prompt of the subagent.',
};

function labelOf(component: DeclaredPlugin['components'][number]): string {
  if (component.kind === 'hook') return `hook ${component.event}`;
  if (component.kind === 'server') return `server ${component.name}`;
  return component.kind === 'command'
    ? `/${component.names[0] ?? ''}`
    : `${component.kind} ${component.names[0] ?? ''}`;
}

async function tryHooks(
  plugin: DeclaredPlugin,
  hooks: readonly DeclaredHook[],
  {
    start,
    say,
    isolation,
    unseen,
  }: { start: boolean; say: (what: string) => void; isolation: string | undefined; unseen: readonly string[] },
): Promise<HookParts> {
  const trial = start && hooks.length > 0 ? new HookTrial(plugin.root, { say, isolation }) : undefined;
  try {
    const parts = await hookParts(hooks, trial);
    const skipped = [...parts.skipped, ...(trial?.tried ?? [])];
    // Some have already been reported with the reason why they could not run.
    const named = new Set([...unseen, ...skipped.map(({ name }) => name)]);
    const dead = (trial?.dead ?? []).filter(({ name }) => !named.has(name));
    return { ...parts, skipped: [...skipped, ...dead] };
  } finally {
    await trial?.remove();
  }
}

/** A command is also what hooks on UserPromptExpansion run for. */
function withExpansionHook(part: Part, name: string, hooks: readonly DeclaredHook[]): Part {
  const event = 'UserPromptExpansion';
  if (!hooks.some((hook) => hook.event === event && matcherCovers(hook.matcher, name))) return part;
  return { ...part, expect: { ...part.expect, hooks: [{ event }] } };
}

/** The first step also says which plugin is there, which hooks run on a prompt, and what they add for the model. */
function withTurnHooks(plugin: DeclaredPlugin, { everyTurn }: HookParts, parts: readonly Part[]): Part[] {
  const { hooks, told, rules } = everyTurn;
  const [{ isUnlike, needsTurn, expect: ofFirst } = GREETING] = parts;
  const isAboutAll = hooks.length + told.length > 0;
  const needsGreeting =
    parts.length === 0 ||
    needsTurn === true ||
    (told.length > 0 && ofFirst.told !== undefined) ||
    (isAboutAll && isUnlike === true);
  const greeting =
    told.length === 0 ? GREETING : { ...GREETING, name: 'the plugin loads, and its hooks inform the model' };
  const [first = greeting, ...others] = needsGreeting ? [greeting, ...parts] : parts;
  const expect = {
    ...first.expect,
    plugins: [plugin.name],
    ...(hooks.length === 0 ? {} : { hooks: [...hooks, ...(first.expect.hooks ?? [])] }),
    ...(told.length === 0 ? {} : { told: { message: told } }),
  };
  return [{ ...first, rules: [...first.rules, ...rules], expect }, ...others];
}

const GREETING: Part = {
  name: 'the plugin loads',
  rules: [ruleFor('hello', 'Hello.')],
  send: 'hello',
  expect: {},
};

function readPluginIn(folder: string): DeclaredPlugin {
  const root = resolve(folder);
  if (!PLUGIN_FILES.some((path) => existsSync(join(root, path)))) {
    throw new UnderstudyError('SCAFFOLD_NO_PLUGIN', `there is no plugin in ${root}`, {
      fix: 'Go to the folder with .claude-plugin/plugin.json or commands/, or name it: understudy init FOLDER.',
    });
  }
  const plugin = readPlugin(root);
  const [issue] = plugin.issues;
  if (issue === undefined) return plugin;
  throw new UnderstudyError('SCAFFOLD_BROKEN_PLUGIN', issue.reason, { fix: issue.fix, location: { file: root } });
}

/** Adds a line to .gitignore if it is not there yet, and returns the changed file. */
function addToGitignore(folder: string): string[] {
  const file = join(folder, '.gitignore');
  const text = readIfThere(file) ?? '';
  const known = text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, '').replace(/\/$/, ''));
  if (known.includes('.understudy')) return [];
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${IGNORED_FOLDER}\n`);
  return [file];
}
