import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import {
  AGENTS_FOLDER,
  agentFiles,
  COMMANDS_FOLDER,
  type ComponentFile,
  commandFiles,
  componentNames,
  type FrontMatter,
  filesBelow,
  TOOLS_OF_HOOKS as KNOWN_TOOLS,
  kindOf,
  MANIFEST_FILE,
  readFrontMatter,
  SKILL_FILE,
  skillFiles,
  skillFolders,
  skillPlaces,
  textField,
  toolListField,
  workflowFiles,
  workflowMeta,
} from '@understudy/agents';
import { defined, isObject, nearestWord, readIfThere } from '@understudy/kit';
import { judgeAllowedTools, type UsedIn } from './allowed-tools.js';
import type { DeclaredText, Issue } from './component.js';
import type { Manifest } from './manifest.js';

/** The commands: Markdown files below commands/, or where the manifest says instead. */
export function declaredCommands(root: string, manifest: Manifest): DeclaredText[] {
  const { commands } = manifest;
  const found = commandFiles(root, manifest).map((file) => readText({ root }, file));
  const inline = Object.entries(isObject(commands) ? commands : {}).flatMap(([name, entry]): DeclaredText[] => {
    if (isObject(entry) && typeof entry['source'] === 'string') return [];
    return [{ kind: 'command', names: [name], file: `${MANIFEST_FILE} (${name})`, hidesFromModel: false }];
  });
  return [...found, ...inline, ...notRead(root, COMMANDS_FOLDER, commands, found, commandFiles(root, {}))];
}

/** The agents: Markdown files below agents/, or where the manifest says instead. */
export function declaredAgents(root: string, manifest: Manifest): DeclaredText[] {
  const found = agentFiles(root, manifest).map((file) => readText({ root }, file));
  return [...found, ...notRead(root, AGENTS_FOLDER, manifest.agents, found, agentFiles(root, {}))];
}

/** The skills: folders with a SKILL.md in skills/, and where the manifest says besides. */
export function declaredSkills(root: string, manifest: Manifest): DeclaredText[] {
  return [...skillFiles(root, manifest).map((file) => readText({ root }, file)), ...misspeltSkills(root, manifest)];
}

/** Folders with a skill that the CLI does not find; `shown` is what their paths are relative to. */
export function misspeltSkills(root: string, manifest: Manifest, shown = root): DeclaredText[] {
  return foldersWithoutSkill(root, manifest).flatMap((folder) => misspeltSkill(shown, folder) ?? []);
}

/** Folders beside the skills that are none; the CLI passes over them. */
export function emptySkillFolders(root: string, manifest: Manifest): string[] {
  return foldersWithoutSkill(root, manifest)
    .filter((folder) => misspeltSkill(root, folder) === undefined)
    .map((folder) => `${relative(root, folder)} has no ${SKILL_FILE}, so the CLI does not take it for a skill`);
}

function foldersWithoutSkill(root: string, manifest: Manifest): string[] {
  const places = skillPlaces(manifest).filter((place) => join(place) !== '.');
  const folders = places.flatMap((place) => skillFolders(join(root, place)));
  return [...new Set(folders)].filter((folder) => kindOf(join(folder, SKILL_FILE)) !== 'file');
}

/** The workflows: scripts that say their name in `meta`. */
export function declaredWorkflows(root: string, manifest: Manifest, shown = root): DeclaredText[] {
  return workflowFiles(root, manifest).map(({ kind, file, name, prefix }) => {
    const own = workflowMeta(readIfThere(file) ?? '')?.name;
    const names = own === undefined || own === name ? [name] : [own, name];
    const issue = own === undefined || prefix !== '' ? UNREADABLE_WORKFLOW : undefined;
    return { kind, names, file: relative(shown, file), hidesFromModel: false, ...defined({ issue }) };
  });
}

/** The CLI says nothing of a workflow that it passes over. */
export const UNREADABLE_WORKFLOW: Issue = {
  reason: 'the file exists, and the CLI did not load it: it passes over a workflow that it cannot read',
  fix: 'Put it into the folder itself, and begin it with export const meta = { name: "…", description: "…" }, plain values only.',
};

/** Where the manifest names places, the CLI does not look in the usual one: files there are not loaded. */
function notRead(
  root: string,
  usual: string,
  named: unknown,
  found: readonly DeclaredText[],
  usualFiles: readonly ComponentFile[],
): DeclaredText[] {
  if (named === undefined) return [];
  const covered = new Set(found.map(({ file }) => file));
  const issue = {
    reason: `the manifest names other ${usual}, so the CLI does not look into ${usual}/`,
    fix: `Add "./${usual}" to "${usual}" in ${MANIFEST_FILE}, or remove the file.`,
  };
  return usualFiles
    .map((file) => readText({ root }, file))
    .filter(({ file }) => !covered.has(file))
    .map((text) => ({ ...text, issue }));
}

/** A skill whose file is too deep, or has a name that the CLI does not look for. */
function misspeltSkill(root: string, folder: string): DeclaredText | undefined {
  const file = relative(root, join(folder, SKILL_FILE));
  const near = filesBelow(folder).find((found) => basename(found).toLowerCase() === SKILL_FILE.toLowerCase());
  if (near === undefined) return undefined;
  const issue: Issue = {
    reason: `the folder has ${relative(folder, near)}, and no ${SKILL_FILE}`,
    fix: `Move it to ${file}: the CLI looks one folder deep, for exactly that name.`,
  };
  return { kind: 'skill', names: [basename(folder)], file: relative(root, folder), hidesFromModel: false, issue };
}

/** Reads a command, an agent or a skill. */
export function readText(used: UsedIn, component: ComponentFile): DeclaredText {
  const { root } = used;
  const { kind, name } = component;
  const file = relative(root, component.file);
  let text: string;
  try {
    text = readFileSync(component.file, 'utf8');
  } catch {
    const issue = { reason: 'there is no such file', fix: `Write ${file}, or remove it from the manifest.` };
    return { kind, names: [name], file, hidesFromModel: false, issue };
  }
  const matter = readFrontMatter(text);
  const names = componentNames(component, matter);
  const description = textField(matter, 'description');
  const tools = kind === 'agent' && 'tools' in matter.fields ? toolListField(matter, 'tools') : undefined;
  const { issue: wrongTool, note } = unknownTools(tools);
  const { defect: wrongLine, undecided } = kind === 'agent' ? {} : judgeAllowedTools(component, used);
  const defect = frontMatterDefect(matter) ?? wrongTool ?? wrongLine;
  return {
    kind,
    names: [...new Set([names.name, names.alias ?? names.name])],
    file,
    ...defined({ description, tools }),
    ...(matter.state === 'none' ? { isBare: true } : {}),
    hidesFromModel: textField(matter, 'disable-model-invocation') === 'true',
    ...defined({
      defect,
      undecided,
      warning: matter.state === 'repaired' ? repaired(matter) : (note ?? everyTool(kind, matter)),
    }),
  };
}

/** An agent is limited by `tools`; `allowed-tools` is of commands and skills. */
function everyTool(kind: string, { fields }: FrontMatter): string | undefined {
  if (kind !== 'agent' || 'tools' in fields || !('allowed-tools' in fields)) return undefined;
  return 'the CLI does not read allowed-tools of an agent, so it gets every tool: write "tools"';
}

function repaired({ problem }: FrontMatter): string {
  return `its front matter is not valid YAML (${problem}); the CLI puts the values in quotes`;
}

/** What the CLI loses of the front matter, and why. */
function frontMatterDefect({ state, problem, lost }: FrontMatter): Issue | undefined {
  if (state === 'open') {
    return {
      reason: 'its front matter is never closed, so the CLI takes all of it for the body',
      fix: 'Close the front matter with a line that holds only ---.',
    };
  }
  if (state === 'dropped') {
    return {
      reason: `its front matter is not valid YAML (${problem}), so the CLI drops all of it: ${lost.join(', ')}`,
      fix: 'Write a text of several lines as a block ("description: |", then indented lines), or in quotes on one line.',
    };
  }
  if (lost.length === 0) return undefined;
  return {
    reason: `its front matter ends at the first ---, so the CLI does not read ${lost.join(', ')}`,
    fix: 'Take the --- out of the value.',
  };
}

/** Tools of an agent that do not exist: the agent does not get them. */
function unknownTools(tools: readonly string[] = []): { issue?: Issue; note?: string } {
  const unknown = tools
    .map((tool) => tool.replace(/\(.*$/, ''))
    .filter((tool) => tool !== '*' && !tool.startsWith('mcp__') && !KNOWN_TOOLS.includes(tool));
  for (const tool of unknown) {
    const near = nearestWord(tool, KNOWN_TOOLS);
    if (near === undefined || tools.includes(near)) continue;
    const others = unknown.filter((one) => one !== tool);
    return {
      issue: {
        reason: `its tools name ${tool}, and there is no such tool: the agent does not get it${
          others.length === 0 ? '' : ` (we do not know ${others.join(', ')} either)`
        }`,
        fix: `Did you mean ${near}?`,
      },
    };
  }
  return unknown.length === 0 ? {} : { note: `its tools name ${unknown.join(', ')}, which we do not know` };
}
