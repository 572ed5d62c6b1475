import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type FrontMatter, readFrontMatter, textField } from '../../claude-code/front-matter.js';
import {
  agentFiles,
  type ComponentFile,
  commandFiles,
  componentNames,
  skillFiles,
  skillFolders,
} from '../../claude-code/plugins/components.js';
import {
  AGENTS_FOLDER,
  COMMANDS_FOLDER,
  MANIFEST_FILE,
  pathList,
  SKILL_FILE,
  SKILLS_FOLDER,
} from '../../claude-code/plugins/layout.js';
import { filesBelow, kindOf } from '../../claude-code/plugins/tree.js';
import { isObject } from '../../document/json.js';
import type { DeclaredText, Issue } from './component.js';
import type { Manifest } from './manifest.js';

/** The commands: Markdown files below commands/, or where the manifest says instead. */
export function declaredCommands(root: string, manifest: Manifest): DeclaredText[] {
  const { commands } = manifest;
  const found = commandFiles(root, manifest).map((file) => readText(root, file));
  const inline = Object.entries(isObject(commands) ? commands : {}).flatMap(([name, entry]): DeclaredText[] => {
    if (isObject(entry) && typeof entry['source'] === 'string') return [];
    return [{ kind: 'command', names: [name], file: `${MANIFEST_FILE} (${name})`, hidesFromModel: false }];
  });
  return [...found, ...inline, ...notRead(root, COMMANDS_FOLDER, commands, found, commandFiles(root, {}))];
}

/** The agents: Markdown files below agents/, or where the manifest says instead. */
export function declaredAgents(root: string, manifest: Manifest): DeclaredText[] {
  const found = agentFiles(root, manifest).map((file) => readText(root, file));
  return [...found, ...notRead(root, AGENTS_FOLDER, manifest.agents, found, agentFiles(root, {}))];
}

/** The skills: folders with a SKILL.md in skills/, and where the manifest says besides. */
export function declaredSkills(root: string, manifest: Manifest): DeclaredText[] {
  const places = [SKILLS_FOLDER, ...pathList(manifest.skills)].map((place) => join(root, place));
  const empty = places.flatMap(skillFolders).filter((folder) => kindOf(join(folder, SKILL_FILE)) !== 'file');
  return [
    ...skillFiles(root, manifest).map((file) => readText(root, file)),
    ...[...new Set(empty)].map((folder) => emptySkill(root, folder)),
  ];
}

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
    .map((file) => readText(root, file))
    .filter(({ file }) => !covered.has(file))
    .map((text) => ({ ...text, issue }));
}

function emptySkill(root: string, folder: string): DeclaredText {
  const file = relative(root, join(folder, SKILL_FILE));
  const near = filesBelow(folder).find((found) => basename(found).toLowerCase() === SKILL_FILE.toLowerCase());
  const issue: Issue =
    near === undefined
      ? { reason: `the folder has no ${SKILL_FILE}`, fix: `Write ${file}, or remove the folder.` }
      : {
          reason: `the folder has ${relative(folder, near)}, and no ${SKILL_FILE}`,
          fix: `Move it to ${file}: the CLI looks one folder deep, for exactly that name.`,
        };
  return { kind: 'skill', names: [basename(folder)], file: relative(root, folder), hidesFromModel: false, issue };
}

function readText(root: string, component: ComponentFile): DeclaredText {
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
  const defect = frontMatterDefect(matter);
  return {
    kind,
    names: [...new Set([names.name, names.alias ?? names.name])],
    file,
    ...(description === undefined ? {} : { description }),
    hidesFromModel: textField(matter, 'disable-model-invocation') === 'true',
    ...(defect === undefined ? {} : { defect }),
    ...(matter.state === 'repaired'
      ? { warning: `its front matter is not valid YAML (${matter.problem}); the CLI puts the values in quotes` }
      : {}),
  };
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
