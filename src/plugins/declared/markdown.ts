import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { DeclaredText, Trouble } from './component.js';
import { readFrontMatter, textField } from './front-matter.js';
import { type Manifest, pathList } from './manifest.js';
import { filesBelow, foldersIn, kindOf } from './tree.js';

const NEEDS_CLOSING: Trouble = {
  reason: 'its front matter is never closed: the CLI takes all of it for the body',
  fix: 'Close the front matter with a line that holds only ---.',
};

/** The commands: Markdown files below commands/, or where the manifest says instead. */
export function declaredCommands(root: string, manifest: Manifest): DeclaredText[] {
  const { commands } = manifest;
  if (typeof commands === 'object' && !Array.isArray(commands)) return commandsOfManifest(root, commands);
  return inPlaces('commands', commands, (place) => commandsIn(root, place));
}

/** Where the manifest names places, the CLI no longer looks in the usual one: what is left there is forgotten. */
function inPlaces(usual: string, named: unknown, read: (place: string) => DeclaredText[]): DeclaredText[] {
  if (named === undefined) return read(usual);
  const texts = [...new Set(pathList(named))].flatMap(read);
  const covered = new Set(texts.map(({ file }) => file));
  const trouble = {
    reason: `the manifest names other ${usual}, so the CLI does not look into ${usual}/`,
    fix: `Add "./${usual}" to "${usual}" in .claude-plugin/plugin.json, or remove the file.`,
  };
  const forgotten = read(usual).filter(({ file }) => !covered.has(file));
  return [...texts, ...forgotten.map((text) => ({ ...text, trouble }))];
}

function commandsIn(root: string, place: string): DeclaredText[] {
  const path = join(root, place);
  if (kindOf(path) === 'file') return [readText(root, path, 'command', [nameOf(path)])];
  return filesBelow(path).flatMap((file) => {
    if (extname(file).toLowerCase() !== '.md') return [];
    const folders = relative(path, dirname(file)).split(sep).filter(Boolean);
    // A SKILL.md makes a skill of its whole folder, and its neighbours are not read.
    if (basename(file) === 'SKILL.md') return [readText(root, file, 'command', [folders.at(-1) ?? basename(path)])];
    return [readText(root, file, 'command', [[...folders, nameOf(file)].join(':')])];
  });
}

function commandsOfManifest(root: string, commands: Record<string, unknown>): DeclaredText[] {
  return Object.entries(commands).map(([name, entry]) => {
    const source = (entry as { source?: unknown } | null)?.source;
    if (typeof source === 'string') return readText(root, join(root, source), 'command', [name]);
    return { kind: 'command', names: [name], file: `.claude-plugin/plugin.json (${name})`, hidesFromModel: false };
  });
}

/** The agents: Markdown files below agents/, or where the manifest says instead. */
export function declaredAgents(root: string, manifest: Manifest): DeclaredText[] {
  return inPlaces('agents', manifest.agents, (place) => {
    const path = join(root, place);
    if (kindOf(path) === 'file') return [readText(root, path, 'agent', [nameOf(path)])];
    return filesBelow(path)
      .filter((file) => extname(file).toLowerCase() === '.md')
      .map((file) => {
        const folders = relative(path, dirname(file)).split(sep).filter(Boolean);
        return readText(root, file, 'agent', [nameOf(file)], folders.map((folder) => `${folder}:`).join(''));
      });
  });
}

/** The skills: folders with a SKILL.md in skills/, and where the manifest says besides. */
export function declaredSkills(root: string, manifest: Manifest): DeclaredText[] {
  const own =
    kindOf(join(root, 'SKILL.md')) === 'file'
      ? [readText(root, join(root, 'SKILL.md'), 'skill', [basename(root)])]
      : [];
  const places = [...new Set(['skills', ...pathList(manifest.skills)].map((place) => join(root, place)))];
  return [...own, ...places.flatMap((place) => skillsIn(root, place))];
}

function skillsIn(root: string, place: string): DeclaredText[] {
  const itself = join(place, 'SKILL.md');
  const alone = kindOf(itself) === 'file' ? [readText(root, itself, 'skill', [basename(place)])] : [];
  return [...alone, ...foldersIn(place).map((folder) => skillIn(root, folder))];
}

function skillIn(root: string, folder: string): DeclaredText {
  const file = join(folder, 'SKILL.md');
  const name = basename(folder);
  if (kindOf(file) === 'file') return readText(root, file, 'skill', [name]);
  const inside = filesBelow(folder).map((found) => relative(folder, found));
  const near = inside.find((found) => basename(found).toLowerCase() === 'skill.md');
  return {
    kind: 'skill',
    names: [name],
    file: relative(root, folder),
    hidesFromModel: false,
    trouble: {
      reason: near === undefined ? 'the folder has no SKILL.md' : `the folder has ${near}, and no SKILL.md`,
      fix:
        near === undefined
          ? `Write ${relative(root, file)}, or remove the folder.`
          : `Move it to ${relative(root, file)}: the CLI looks in one level of folders, for that very name.`,
    },
  };
}

function readText(root: string, file: string, kind: DeclaredText['kind'], names: string[], prefix = ''): DeclaredText {
  const shown = relative(root, file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    const trouble = { reason: 'there is no such file', fix: `Write ${shown}, or take it out of the manifest.` };
    return { kind, names, file: shown, hidesFromModel: false, trouble };
  }
  const matter = readFrontMatter(text);
  const own = textField(matter, 'name');
  const description = textField(matter, 'description');
  // An agent goes by the name in its file; commands and skills by their place, and by that name too.
  const called = own === undefined ? names : kind === 'agent' ? [own] : [...names, own];
  return {
    kind,
    names: [...new Set(called)].map((name) => `${prefix}${name}`),
    file: shown,
    ...(description === undefined || description === '' ? {} : { description }),
    hidesFromModel: String(matter.fields['disable-model-invocation']) === 'true',
    ...(matter.state === 'open' ? { defect: NEEDS_CLOSING } : {}),
    ...(matter.state === 'guessed'
      ? { warning: `its front matter is not valid YAML (${matter.problem}); the CLI reads it line by line, as text` }
      : {}),
  };
}

function nameOf(file: string): string {
  // The CLI takes off .md alone; an ending in capitals stays in the name.
  return basename(file, '.md');
}
