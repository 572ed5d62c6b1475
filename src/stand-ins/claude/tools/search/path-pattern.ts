import { type LinearRegex, regexTest } from '../../../../scenario/linear-regex.js';

/** A pattern of paths as ripgrep reads it: a line of a gitignore file, or the value of `--glob`. */
export interface PathPattern {
  isNegated: boolean;
  onlyFolders: boolean;
  /** Paths from the folder that the pattern belongs to. */
  test(path: string): boolean;
}

/** Reads a pattern, or says what is wrong with it. */
export function readPathPattern(written: string): PathPattern | { problem: string } {
  const isNegated = written.startsWith('!');
  const whole = isNegated ? written.slice(1) : written;
  const onlyFolders = whole.endsWith('/');
  const pattern = onlyFolders ? whole.slice(0, -1) : whole;
  const problem = problemIn(pattern);
  if (problem !== undefined) return { problem: `error parsing glob '${written}': ${problem}` };
  // One without a slash is about a name, wherever it is.
  const anywhere = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  const regex: Pick<LinearRegex, 'test'> = regexTest(`^${translate(anywhere)}$`, { dotAll: true });
  return { isNegated, onlyFolders, test: (path) => regex.test(path) };
}

function problemIn(pattern: string): string | undefined {
  let open = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '{') open++;
    else if (character === '}' && open > 0) open--;
    else if (character === '[') {
      at = endOfClass(pattern, at);
      if (at === -1) return "unclosed character class; missing ']'";
    }
  }
  return open > 0 ? "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)" : undefined;
}

/** Where the brackets end that begin here. A bracket right behind the first one is a character. */
function endOfClass(pattern: string, at: number): number {
  const first = /[!^]/.test(pattern[at + 1] ?? '') ? at + 2 : at + 1;
  return pattern.indexOf(']', first + 1);
}

function translate(glob: string): string {
  let source = '';
  let choices = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? '';
    const isPartStart = at === 0 || glob[at - 1] === '/';
    if (isPartStart && glob.startsWith('**/', at)) {
      source += '(?:[^/]+/)*';
      at += 2;
    } else if (isPartStart && glob.slice(at) === '**') {
      source += '.*';
      at += 1;
    } else if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '{') {
      source += '(?:';
      choices++;
    } else if (character === '}' && choices > 0) {
      source += ')';
      choices--;
    } else if (character === ',' && choices > 0) source += '|';
    else if (character === '[') {
      const end = endOfClass(glob, at);
      const inner = glob.slice(at + 1, end);
      source += `[${inner.replace(/^[!^]/, '^').replace(/[\\[\]]/g, '\\$&')}]`;
      at = end;
    } else if (character === '\\' && at + 1 < glob.length) source += literal(glob[++at] ?? '');
    else source += literal(character);
  }
  return source;
}

function literal(character: string): string {
  return character.replace(/[.*+?^$()|\\[\]{}]/, '\\$&');
}
