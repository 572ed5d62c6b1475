import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readIfThere } from '../../../document/json.js';
import type { LinearRegex } from '../../../scenario/linear-regex.js';
import { compileGlob } from '../../shared/tools/path-glob.js';
import { isBelow } from './is-below.js';

interface Rule {
  test: Pick<LinearRegex, 'test'>;
  isNegated: boolean;
  onlyFolders: boolean;
}

/** Which ignore files count. */
export type IgnoredBy = 'git' | 'gemini' | 'both';

/** What `.gitignore` files and `.geminiignore` leave out of a project. */
export class IgnoreRules {
  readonly #root: string;
  readonly #isRepository: boolean;
  readonly #gemini: readonly Rule[];
  readonly #inFolder = new Map<string, readonly Rule[]>();

  constructor(root: string) {
    this.#root = root;
    this.#isRepository = isInRepository(root);
    this.#gemini = linesOf(join(root, '.geminiignore')).map((line) => readRule(line.trim(), ''));
  }

  /** Whether a file is left out; one outside of the project never is. */
  isIgnored(path: string, by: IgnoredBy): boolean {
    const name = relative(this.#root, resolve(this.#root, path));
    if (name === '' || !isBelow(this.#root, resolve(this.#root, path))) return false;
    const parts = name.split('/');
    const git = by === 'gemini' || !this.#isRepository ? [] : this.#gitRules(parts, by === 'git' ? [] : this.#gemini);
    return isExcluded(parts, [...git, ...(by === 'git' ? [] : this.#gemini)], false);
  }

  /** The rules of all folders on the way to a file, except of those that are ignored themselves. */
  #gitRules(parts: readonly string[], last: readonly Rule[]): Rule[] {
    const rules = [readRule('.git', ''), ...this.#rulesIn('.git/info/exclude', '')];
    for (let depth = 0; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth);
      if (depth > 0 && isExcluded(folder, [...rules, ...last], true)) break;
      rules.push(...this.#rulesIn([...folder, '.gitignore'].join('/'), folder.join('/')));
    }
    return rules;
  }

  #rulesIn(file: string, base: string): readonly Rule[] {
    const known = this.#inFolder.get(file);
    if (known !== undefined) return known;
    const rules = linesOf(join(this.#root, file)).map((line) => readRule(line, base));
    this.#inFolder.set(file, rules);
    return rules;
  }
}

function linesOf(file: string): string[] {
  const lines = (readIfThere(file) ?? '').split(/\r\n|\n|\r/).map((line) => line.trimStart());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** A line of an ignore file, as it counts for paths from the project. */
function readRule(line: string, base: string): Rule {
  const isNegated = line.startsWith('!');
  const pattern = (isNegated ? line.slice(1) : line).replace(/(?<!\\)\s+$/, '');
  const onlyFolders = pattern.endsWith('/');
  const path = pattern.replace(/^\//, '').replace(/\/+$/, '');
  // In a folder below the project, even a slash at the end ties a line to that folder.
  const isTied = pattern.startsWith('/') || path.includes('/') || (base !== '' && onlyFolders);
  const glob = [...(base === '' ? [] : [base]), ...(isTied ? [] : ['**']), path].join('/');
  return { test: compileGlob(glob, { ignoreCase: true, ignoreLine: true }), isNegated, onlyFolders };
}

/** What is in an ignored folder is ignored; otherwise the last rule that matches decides. */
function isExcluded(parts: readonly string[], rules: readonly Rule[], isFolder: boolean): boolean {
  return parts.some((_part, index) => {
    const path = parts.slice(0, index + 1).join('/');
    const maybeFolder = isFolder || index < parts.length - 1;
    const rule = rules.findLast(({ test, onlyFolders }) => (maybeFolder || !onlyFolders) && test.test(path));
    return rule !== undefined && !rule.isNegated;
  });
}

/** Whether a folder, or one above it, is a git repository. */
export function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && isInRepository(dirname(folder));
}
