import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readIfThere } from '@understudy/kit';
import { readFrontMatter } from '../front-matter.js';

/** Whose instructions a file has, and how the CLI names them. */
const KINDS = {
  user: "user's private global instructions for all projects",
  project: 'project instructions, checked into the codebase',
  local: "user's private project instructions, not checked in",
} as const;
type Kind = keyof typeof KINDS;

const HEADING =
  'Codebase and user instructions are shown below. Be sure to adhere to these instructions. IMPORTANT: These instructions ' +
  'OVERRIDE any default behavior and you MUST follow them exactly as written.';
/** A file that is included may include others, so deep. */
const DEEPEST = 5;

export interface MemoryPlace {
  cwd: string;
  configDir: string;
  /** The sources that count; all of them by default. */
  sources?: readonly string[] | undefined;
}

/** A file with instructions, and the one that includes it. */
export interface MemoryFile {
  path: string;
  kind: Kind;
  /** As it is written. */
  written: string;
  /** Without front matter and without comments that stand alone. */
  text: string;
  includedBy?: string;
}

/** The CLAUDE.md files and rules that count in a new session, in their order. */
export function memoryFiles(place: MemoryPlace): MemoryFile[] {
  const load = loaderOf(place);
  const { cwd, configDir } = place;
  const always = (kind: Kind, folder: string): MemoryFile[] =>
    rulesIn(folder).flatMap(({ path, isForAll }) => (isForAll ? load(kind, path) : []));
  return [
    ...load('user', join(configDir, 'CLAUDE.md')),
    ...always('user', join(configDir, 'rules')),
    ...foldersDownTo(cwd).flatMap((folder) => [
      ...load('project', join(folder, 'CLAUDE.md')),
      ...load('project', join(folder, '.claude', 'CLAUDE.md')),
      ...always('project', join(folder, '.claude', 'rules')),
      ...load('local', join(folder, 'CLAUDE.local.md')),
    ]),
  ];
}

/** Whether there may be more instructions once the agent works with a file: in its folder, or in rules for some files. */
export function hasMoreFor({ cwd, configDir }: MemoryPlace, file: string): boolean {
  const below = foldersDownTo(dirname(file)).filter((folder) => folder.startsWith(`${cwd}/`));
  const names = ['CLAUDE.md', 'CLAUDE.local.md', join('.claude', 'CLAUDE.md'), join('.claude', 'rules')];
  if (below.some((folder) => names.some((name) => existsSync(join(folder, name))))) return true;
  const rules = [join(configDir, 'rules'), ...foldersDownTo(cwd).map((folder) => join(folder, '.claude', 'rules'))];
  return rules.flatMap(rulesIn).some(({ isForAll }) => !isForAll);
}

/** Reads a file once, and those that it includes. */
function loaderOf({ cwd, sources }: MemoryPlace): (kind: Kind, path: string) => MemoryFile[] {
  const seen = new Set<string>();
  const load = (kind: Kind, path: string, includer?: string, depth = 0): MemoryFile[] => {
    if (sources?.includes(kind) === false || seen.has(path) || depth > DEEPEST) return [];
    const written = readIfThere(path);
    if (written === undefined) return [];
    seen.add(path);
    const text = plain(written);
    if (text.trim() === '') return [];
    const included = includedBy(text, dirname(path)).filter((file) => kind === 'user' || file.startsWith(`${cwd}/`));
    return [
      { path, kind, written, text, ...(includer === undefined ? {} : { includedBy: includer }) },
      ...included.flatMap((file) => load(kind, file, path, depth + 1)),
    ];
  };
  return load;
}

/** What the CLI adds for the model about them, if there are any. */
export function memoryText(files: readonly MemoryFile[]): string | undefined {
  if (files.length === 0) return undefined;
  const parts = files.map(({ path, kind, text }) => `Contents of ${path} (${KINDS[kind]}):\n\n${text.trim()}`);
  return [HEADING, ...parts].join('\n\n');
}

function foldersDownTo(cwd: string): string[] {
  const above = dirname(cwd);
  return above === cwd ? [cwd] : [...foldersDownTo(above), cwd];
}

/** The rules of a folder, and whether each is for all files. */
function rulesIn(folder: string): { path: string; isForAll: boolean }[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, isForAll: isForAll(readFrontMatter(readIfThere(path) ?? '').fields['paths']) }));
}

function isForAll(paths: unknown): boolean {
  return [paths ?? '**'].flat().every((path) => path === '**');
}

function plain(written: string): string {
  return readFrontMatter(written).body.replace(/^[ \t]*<!--[\s\S]*?-->[ \t]*\n?/gm, '');
}

/** The files that a text names with an @, but not in code. */
function includedBy(text: string, folder: string): string[] {
  const words = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  return [...words.matchAll(/(?<=^|\s)@((?:\\ |[^\s\\])+)/g)].map(([, name = '']) => {
    const path = name.replaceAll('\\ ', ' ');
    return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path);
  });
}
