import { type LinearRegex, regexTest } from '@understudy/script';

export interface GlobOptions {
  ignoreCase?: boolean;
  /** It is a line of an ignore file: braces choose nothing, and a backslash makes the next sign an ordinary one. */
  ignoreLine?: boolean;
}

/** Compiles a path glob: `*` and `?` stay within a folder, `**` crosses them, `{a,b}` chooses. */
export function compileGlob(
  glob: string,
  { ignoreCase = false, ignoreLine = false }: GlobOptions = {},
): Pick<LinearRegex, 'test'> {
  return regexTest(`^${translate(glob, ignoreLine)}$`, { ignoreCase });
}

function translate(glob: string, ignoreLine: boolean): string {
  let source = '';
  let choices = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? '';
    if (character === '*' && glob[at + 1] === '*') {
      const slash = glob[at + 2] === '/';
      source += slash ? '(?:[^/]+/)*' : '.*';
      at += slash ? 2 : 1;
    } else if (character === '*') {
      source += '[^/]*';
    } else if (character === '?') {
      source += '[^/]';
    } else if (character === '\\' && ignoreLine && at + 1 < glob.length) {
      source += literal(glob[++at] ?? '');
    } else if (character === '{' && !ignoreLine && glob.includes('}', at)) {
      source += '(?:';
      choices++;
    } else if (character === '}' && choices > 0) {
      source += ')';
      choices--;
    } else if (character === ',' && choices > 0) {
      source += '|';
    } else if (character === '[') {
      const end = glob.indexOf(']', at + 2);
      if (end === -1) {
        source += '\\[';
      } else {
        source += `[${glob
          .slice(at + 1, end)
          .replace(/^!/, '^')
          .replace(/\\/g, '\\\\')}]`;
        at = end;
      }
    } else {
      source += literal(character);
    }
  }
  return source;
}

function literal(character: string): string {
  return character.replace(/[.*+?^$()|\\[\]{}]/, '\\$&');
}
