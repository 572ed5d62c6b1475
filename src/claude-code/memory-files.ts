import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readIfThere } from '../document/json.js';
import { readFrontMatter } from './front-matter.js';

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
  /** The sources that count; all of them where nothing is said. */
  sources?: readonly string[] | undefined;
}

/** A file with instructions, and the one that includes it. */
export interface MemoryFile {
  path: string;
  kind: Kind;
  text: string;
  includedBy?: string;
}

/** The CLAUDE.md files and rules that count in a new session, in their order. */
export function memoryFiles({ cwd, configDir, sources }: MemoryPlace): MemoryFile[] {
  const seen = new Set<string>();
  const load = (kind: Kind, path: string, includer?: string, depth = 0): MemoryFile[] => {
    if (sources?.includes(kind) === false || seen.has(path) || depth > DEEPEST) return [];
    const written = readIfThere(path);
    if (written === undefined) return [];
    seen.add(path);
    const text = plain(written);
    if (text === '') return [];
    const included = includedBy(text, dirname(path)).filter((file) => kind === 'user' || file.startsWith(`${cwd}/`));
    return [
      { path, kind, text, ...(includer === undefined ? {} : { includedBy: includer }) },
      ...included.flatMap((file) => load(kind, file, path, depth + 1)),
    ];
  };
  return [
    ...load('user', join(configDir, 'CLAUDE.md')),
    ...rulesIn(join(configDir, 'rules')).flatMap((rule) => load('user', rule)),
    ...foldersDownTo(cwd).flatMap((folder) => [
      ...load('project', join(folder, 'CLAUDE.md')),
      ...load('project', join(folder, '.claude', 'CLAUDE.md')),
      ...rulesIn(join(folder, '.claude', 'rules')).flatMap((rule) => load('project', rule)),
      ...load('local', join(folder, 'CLAUDE.local.md')),
    ]),
  ];
}

/** What the CLI tells the model of them, if there are any. */
export function memoryText(files: readonly MemoryFile[]): string | undefined {
  if (files.length === 0) return undefined;
  const parts = files.map(({ path, kind, text }) => `Contents of ${path} (${KINDS[kind]}):\n\n${text}`);
  return [HEADING, ...parts].join('\n\n');
}

function foldersDownTo(cwd: string): string[] {
  const above = dirname(cwd);
  return above === cwd ? [cwd] : [...foldersDownTo(above), cwd];
}

/** The rules that always count. Those with `paths` wait until such a file is read. */
function rulesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .filter((rule) => readFrontMatter(readIfThere(rule) ?? '').fields['paths'] === undefined);
}

/** Without front matter and without comments that stand alone. */
function plain(written: string): string {
  return readFrontMatter(written)
    .body.replace(/^[ \t]*<!--[\s\S]*?-->[ \t]*\n?/gm, '')
    .trim();
}

/** The files that a text names with an @, but not in code. */
function includedBy(text: string, folder: string): string[] {
  const words = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  return [...words.matchAll(/(?<=^|\s)@((?:\\ |[^\s\\])+)/g)].map(([, name = '']) => {
    const path = name.replaceAll('\\ ', ' ');
    return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path);
  });
}
