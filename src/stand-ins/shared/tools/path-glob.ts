import { type LinearRegex, regexTest } from '../../../scenario/linear-regex.js';

/** Compiles a path glob: `*` and `?` stay within a folder, `**` crosses them, `{a,b}` chooses. */
export function compileGlob(glob: string): Pick<LinearRegex, 'test'> {
  return regexTest(`^${translate(glob)}$`);
}

function translate(glob: string): string {
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
    } else if (character === '{' && glob.includes('}', at)) {
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
      source += character.replace(/[.+^$()|\\\]}]/, '\\$&');
    }
  }
  return source;
}
