import { join, relative } from 'node:path';
import {
  agentFiles,
  type ComponentFile,
  commandFiles,
  configPaths,
  kindOf,
  type LoadedSettings,
  loadSettings,
  rulesOfSettings,
  SERVERS_FILE,
  skillFiles,
} from '@understudy/agents';
import { isObject, parseJson, readIfThere } from '@understudy/kit';
import type { UsedIn } from './allowed-tools.js';
import type { DeclaredPlugin, DeclaredText, Issue } from './component.js';
import { settingsHooks } from './hooks.js';
import { declaredWorkflows, misspeltSkills, readText } from './markdown.js';
import { projectServers } from './servers.js';

const CLAUDE_FOLDER = '.claude';
const SETTINGS = ['settings.json', 'settings.local.json'].map((name) => join(CLAUDE_FOLDER, name));
const LOOKED_AT = [
  ...SETTINGS,
  ...['agents', 'commands', 'skills'].map((name) => join(CLAUDE_FOLDER, name)),
  SERVERS_FILE,
];

/** Reads what the files of a project declare to the CLI; nothing where it has none. */
export function readProject(root: string): DeclaredPlugin | undefined {
  if (!LOOKED_AT.some((path) => kindOf(join(root, path)) !== undefined)) return undefined;
  const folder = join(root, CLAUDE_FOLDER);
  const settings = loadSettings({
    cwd: root,
    paths: configPaths({ HOME: root }),
    flags: [],
    sources: ['project', 'local'],
  });
  const used = { root, rules: rulesOfSettings(settings.files) };
  const agents = agentFiles(folder, {}).map((file) => readAgent(used, file));
  const isNotes = ({ isBare }: DeclaredText): boolean => isBare === true;
  return {
    root,
    name: 'project',
    isProject: true,
    components: [
      ...commandFiles(folder, {}).map((file) => readText(used, file)),
      ...agents.filter((agent) => !isNotes(agent)),
      ...skillFiles(folder, { skills: [] }).map((file) => readText(used, file)),
      ...misspeltSkills(folder, {}, root),
      ...declaredWorkflows(folder, {}, root),
      ...settingsHooks(root),
      ...projectServers(root),
    ],
    issues: settingsIssues(root, settings),
    refusals: [],
    notes: agents
      .filter(isNotes)
      .map(({ file }) => `${file} has no front matter, so the CLI does not take it for an agent`),
    notCompared: [],
  };
}

/** An agent of a project needs a name and a description, or the CLI passes over it silently. Folders are no part of its name. */
function readAgent(used: UsedIn, component: ComponentFile): DeclaredText {
  const agent = readText(used, { ...component, name: '', prefix: '' });
  const [name = ''] = agent.names;
  const missing = name === '' ? 'name' : agent.description === undefined ? 'description' : undefined;
  const shown = name === '' ? { ...agent, names: [component.name] } : agent;
  if (agent.isBare === true || (missing === undefined && !name.includes(':'))) return shown;
  const why =
    missing === undefined ? 'its name has a colon' : (agent.defect?.reason ?? `its front matter has no ${missing}`);
  return {
    ...shown,
    issue: {
      reason: `the CLI does not load it, and does not say so: ${why}`,
      fix:
        agent.defect?.fix ?? `Begin ${agent.file} with front matter that has a name (without ":") and a description.`,
    },
  };
}

/** Why settings do not count, as the CLI says it where somebody sees its screen. What is about hooks, their readers say. */
function settingsIssues(root: string, { files, problems, skipped }: LoadedSettings): Issue[] {
  const told = [...problems, ...skipped.filter(({ reason }) => !reason.startsWith(' (hooks'))].filter(
    ({ reason }) => !reason.includes('malformed JSON'),
  );
  const silent = SETTINGS.filter((path) => {
    const file = join(root, path);
    const isLoaded = files.some(({ origin }) => 'file' in origin && origin.file === file);
    return (
      isObject(parseJson(readIfThere(file) ?? '')) && !isLoaded && !problems.some((problem) => problem.file === file)
    );
  });
  return [
    ...told.map(({ file, reason }) => ({
      reason: `${relative(root, file)}${reason}`,
      fix: `Correct ${relative(root, file)}.`,
    })),
    ...silent.map((path) => ({
      reason: `${path} does not count at all: "defaultMode" in its permissions is no mode that the CLI knows`,
      fix: 'Use default, acceptEdits, plan, dontAsk or bypassPermissions, or leave it out.',
    })),
  ];
}
