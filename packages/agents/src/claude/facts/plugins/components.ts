import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { isObject, type JsonObject } from '@understudy/kit';
import { type FrontMatter, textField } from '../front-matter.js';
import {
  AGENTS_FOLDER,
  COMMANDS_FOLDER,
  pathList,
  SKILL_FILE,
  SKILLS_FOLDER,
  skillPlaces,
  WORKFLOWS_FOLDER,
} from './layout.js';
import { filesBelow, foldersIn, kindOf } from './tree.js';

/** A Markdown file that the CLI takes for a command, an agent or a skill. */
export interface ComponentFile {
  kind: 'command' | 'agent' | 'skill' | 'workflow';
  file: string;
  /** The name that its path gives it, without the plugin's: `deep:inner`. */
  name: string;
  /** What stays in front of the name when the front matter gives another one: `deep:`. */
  prefix: string;
}

/** The names that the CLI gives a component, without the plugin's. */
export interface ComponentNames {
  name: string;
  /** The name in the front matter of a command or skill: it can be typed so, with and without the plugin's name. */
  title?: string;
  /** That name with its folders, as it stands behind the plugin's. */
  alias?: string;
}

/** Commands and skills are named by their path, and can be typed by the name in their front matter; agents have that. */
export function componentNames({ kind, name, prefix }: ComponentFile, matter: FrontMatter): ComponentNames {
  const own = textField(matter, 'name');
  if (own === undefined) return { name };
  if (kind === 'agent') return { name: `${prefix}${own}` };
  return { name, title: own, alias: `${prefix}${own}` };
}

/** The commands of a plugin: those below commands/, or where the manifest says instead. */
export function commandFiles(root: string, { commands }: JsonObject): ComponentFile[] {
  if (!isObject(commands)) return atPaths(root, COMMANDS_FOLDER, commands, commandsIn);
  return Object.entries(commands).flatMap(([name, entry]) => {
    const source = isObject(entry) ? entry['source'] : undefined;
    return typeof source === 'string' ? [{ kind: 'command', file: join(root, source), name, prefix: '' }] : [];
  });
}

/** The agents of a plugin: those below agents/, or where the manifest says instead. */
export function agentFiles(root: string, { agents }: JsonObject): ComponentFile[] {
  return atPaths(root, AGENTS_FOLDER, agents, (path) =>
    markdownBelow(path).map((file) => {
      const prefix = folderPrefix(path, file);
      return { kind: 'agent', file, name: `${prefix}${fileName(file)}`, prefix };
    }),
  );
}

/** The skills of a plugin: those in skills/ and where the manifest says besides; without any, its own SKILL.md. */
export function skillFiles(root: string, manifest: JsonObject): ComponentFile[] {
  const { name, skills } = manifest;
  const own = join(root, SKILL_FILE);
  if (skills === undefined && kindOf(join(root, SKILLS_FOLDER)) === undefined && kindOf(own) === 'file') {
    return [skill(own, typeof name === 'string' ? name : basename(root))];
  }
  const paths = skillPlaces(manifest).map((path) => join(root, path));
  return unique(paths.flatMap((path) => skillFolders(path).map((folder) => skill(join(folder, SKILL_FILE))))).filter(
    ({ file }) => kindOf(file) === 'file',
  );
}

/** The workflows of a plugin: scripts in workflows/, or where the manifest says instead. */
export function workflowFiles(root: string, { workflows }: JsonObject): ComponentFile[] {
  return atPaths(root, WORKFLOWS_FOLDER, workflows, (path) => {
    const files = kindOf(path) === 'file' ? [path] : filesBelow(path).filter((file) => extname(file) === '.js');
    return files.map((file) => ({
      kind: 'workflow',
      file,
      name: basename(file, '.js'),
      prefix: folderPrefix(path, file),
    }));
  });
}

/** The folders below a path that should each hold a skill. A path with a SKILL.md is one skill itself. */
export function skillFolders(path: string): string[] {
  return kindOf(join(path, SKILL_FILE)) === 'file' ? [path] : foldersIn(path);
}

function skill(file: string, name = basename(dirname(file))): ComponentFile {
  return { kind: 'skill', file, name, prefix: '' };
}

/** A path in the manifest replaces the usual folder. */
function atPaths(
  root: string,
  usual: string,
  named: unknown,
  read: (path: string) => ComponentFile[],
): ComponentFile[] {
  const paths = named === undefined ? [usual] : pathList(named);
  return unique([...new Set(paths)].flatMap((path) => read(join(root, path))));
}

function commandsIn(path: string): ComponentFile[] {
  const files = markdownBelow(path);
  const skills = files.filter((file) => basename(file) === SKILL_FILE).map((file) => dirname(file));
  return files.flatMap((file): ComponentFile[] => {
    // A SKILL.md makes its folder a skill, and the other files in it are not read.
    if (basename(file) === SKILL_FILE) return [skill(file)];
    if (skills.includes(dirname(file))) return [];
    const prefix = folderPrefix(path, file);
    return [{ kind: 'command', file, name: `${prefix}${fileName(file)}`, prefix }];
  });
}

/** The Markdown files below a folder; a path can also name one file. */
function markdownBelow(path: string): string[] {
  if (kindOf(path) === 'file') return [path];
  return filesBelow(path).filter((file) => extname(file).toLowerCase() === '.md');
}

/** The folders between a path and a file: `deep:er:`. */
function folderPrefix(path: string, file: string): string {
  if (path === file) return '';
  const between = relative(path, dirname(file)).split(sep).filter(Boolean);
  return between.map((folder) => `${folder}:`).join('');
}

/** Only `.md` is taken off; an ending in capitals stays in the name. */
function fileName(file: string): string {
  return basename(file, '.md');
}

function unique(components: readonly ComponentFile[]): ComponentFile[] {
  return [...new Map(components.map((component) => [component.file, component])).values()];
}
