import { compileGlob } from '@understudy/script';

/** A pattern of paths as ripgrep reads it: a line of a gitignore file, or the value of `--glob`. */
export interface PathPattern {
  isNegated: boolean;
  onlyFolders: boolean;
  /** Paths from the folder that the pattern belongs to. */
  test(path: string): boolean;
}

/** Reads a pattern. In a line of a gitignore file, braces choose nothing. */
export function readPathPattern(written: string, ignoreLine: boolean): PathPattern {
  const isNegated = written.startsWith('!');
  const whole = isNegated ? written.slice(1) : written;
  const onlyFolders = whole.endsWith('/');
  const pattern = onlyFolders ? whole.slice(0, -1) : whole;
  // One without a slash is about a name, wherever it is.
  const anywhere = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  const glob = compileGlob(anywhere, { ignoreLine });
  return { isNegated, onlyFolders, test: (path) => glob.test(path) };
}
