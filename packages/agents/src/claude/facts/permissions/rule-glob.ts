import { type LinearRegex, regexTest } from '@understudy/script';

/**
 * Compiles the path of a rule of permissions or instructions, which is read as a line of a gitignore file: letters of any case, no choice in braces, and
 * all that is below a folder. `!` in brackets is a character.
 */
export function compileRuleGlob(glob: string): Pick<LinearRegex, 'test'> {
  const below = glob.endsWith('/') ? '/.*' : '(?:/.*)?';
  return regexTest(`^${translate(glob.replace(/\/+$/, ''))}${below}$`, { ignoreCase: true });
}

function translate(glob: string): string {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? '';
    const end = character === '[' ? glob.indexOf(']', at + 2) : -1;
    if (character === '\\' && at + 1 < glob.length) source += literal(glob[++at] ?? '');
    else if (glob.startsWith('**/', at)) {
      source += '(?:[^/]+/)*';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      source += '.*';
      at += 1;
    } else if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (end !== -1) {
      source += `[${glob.slice(at + 1, end).replace(/[\\^[]/g, '\\$&')}]`;
      at = end;
    } else source += literal(character);
  }
  return source;
}

function literal(character: string): string {
  return character.replace(/[.*+?^$()|\\[\]{}]/, '\\$&');
}
