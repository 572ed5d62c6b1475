import { REFUSED } from '../../refused.js';
import { refuse } from '../live-tool.js';
import { type PathPattern, readPathPattern } from './path-pattern.js';

/** What patterns say of a path. */
export type PathVerdict = 'wanted' | 'unwanted' | undefined;

/** The values of `--glob`: the last one that is about a path counts; what none of them wants is left out. */
export class PathFilter {
  readonly #patterns: readonly PathPattern[];
  readonly #isChoice: boolean;

  constructor(globs: readonly string[]) {
    const broken = globs.find((glob) => /\[[^\]]*$|\\/.test(glob) || glob.split('{').length !== glob.split('}').length);
    if (broken !== undefined) refuse(`${REFUSED.otherSearches} ${broken}`);
    this.#patterns = globs.map((glob) => readPathPattern(glob, false));
    this.#isChoice = this.#patterns.some(({ isNegated }) => !isNegated);
  }

  judge(path: string, isFolder: boolean): PathVerdict {
    const last = lastAbout(this.#patterns, path, isFolder);
    if (last !== undefined) return last.isNegated ? 'unwanted' : 'wanted';
    return this.#isChoice && !isFolder ? 'unwanted' : undefined;
  }
}

export function lastAbout(patterns: readonly PathPattern[], path: string, isFolder: boolean): PathPattern | undefined {
  return patterns.findLast(({ onlyFolders, test }) => (isFolder || !onlyFolders) && test(path));
}
