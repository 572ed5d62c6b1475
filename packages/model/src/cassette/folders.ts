import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Folders that differ from machine to machine, and the names that stand for them in a cassette. */
export interface Folders {
  cwd?: string | undefined;
  home?: string | undefined;
  /** The home of the person who records, where the agent has another one. */
  userHome?: string | undefined;
}

const NAMES = {
  cwd: '{{cwd}}',
  slug: '{{cwd_slug}}',
  home: '{{home}}',
  userHome: '{{user_home}}',
  tmp: '{{tmp}}',
} as const;

/** A shorter path than this could stand in any text. */
const SHORTEST = 4;

interface Pair {
  path: string;
  name: string;
}

/** Puts names in the places of folders, and folders in the places of names. */
export class FolderNames {
  readonly #pairs: Pair[];
  /** What comes back in the place of each name. */
  readonly #paths: ReadonlyMap<string, string>;

  constructor({ cwd, home, userHome }: Folders) {
    const tmp = tmpdir();
    const pairs: Pair[] = [
      ...pathsOf(cwd).flatMap((path) => [
        { path, name: NAMES.cwd },
        // Claude Code has a folder of this name for each project.
        { path: path.replace(/[^A-Za-z0-9]/g, '-'), name: NAMES.slug },
      ]),
      ...pathsOf(home).map((path) => ({ path, name: NAMES.home })),
      ...pathsOf(userHome).map((path) => ({ path, name: NAMES.userHome })),
      ...pathsOf(tmp).map((path) => ({ path, name: NAMES.tmp })),
    ];
    this.#paths = new Map(pairs.map(({ name, path }) => [name, path] as const).reverse());
    this.#pairs = pairs
      .filter(({ path }) => path.length >= SHORTEST)
      // A folder may lie within another one.
      .sort((a, b) => b.path.length - a.path.length);
  }

  hide(text: string): string {
    let hidden = text;
    for (const { path, name } of this.#pairs) {
      if (hidden.includes(path)) hidden = replaceWhole(hidden, path, name);
    }
    return hidden;
  }

  show(text: string): string {
    if (!text.includes('{{')) return text;
    let shown = text;
    for (const [name, path] of this.#paths) shown = shown.replaceAll(name, path);
    return shown;
  }
}

function pathsOf(path: string | undefined): string[] {
  if (path === undefined) return [];
  const plain = path.replace(/(?<=.)\/+$/, '');
  try {
    return [...new Set([plain, realpathSync(plain)])];
  } catch {
    return [plain];
  }
}

/** Replaces a path where it is not the beginning of a longer name. */
function replaceWhole(text: string, path: string, name: string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, from)) {
    const end = at + path.length;
    const isLonger = /[\w-]/.test(text[end] ?? '');
    result += text.slice(from, at) + (isLonger ? path : name);
    from = end;
  }
  return result + text.slice(from);
}
