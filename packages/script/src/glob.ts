import { type LinearRegex, regexTest } from './linear-regex.js';

type Token =
  | { literal: string }
  | { wildcard: '*' | '?' | '**' | '**/' }
  | { oneOf: string; negated: boolean }
  | { choice: '(?:' | '|' | ')' };

/** What a glob is about, and what is special in it. */
export interface GlobOptions {
  /** A path: `*` and `?` stay within a folder, `**` crosses them. In a text they match anything, and are groups. */
  path?: boolean;
  /** `{a,b}` chooses. */
  choices?: boolean;
  /** A backslash makes the next character an ordinary one. */
  escapes?: boolean;
  /** What negates a class at its beginning, as in `[!abc]`. */
  negation?: string;
}

const IN_PATH = { '*': '[^/]*', '?': '[^/]', '**': '.*', '**/': '(?:[^/]+/)*' };
const IN_TEXT = { ...IN_PATH, '*': '(.*)', '?': '(.)' };

/**
 * The regular expression of a glob, without its anchors. `*` matches any characters, `?` one, `[abc]` and `[!abc]` one of
 * a class.
 */
export function translateGlob(glob: string, options: GlobOptions = {}): string {
  const wildcards = options.path === true ? IN_PATH : IN_TEXT;
  return tokens(glob, options)
    .map((token) => {
      if ('literal' in token) return token.literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      if ('wildcard' in token) return wildcards[token.wildcard];
      if ('choice' in token) return token.choice;
      return `[${token.negated ? '^' : ''}${token.oneOf.replace(/[\\\]^[&~]/g, '\\$&')}]`;
    })
    .join('');
}

/** A glob for texts, line ends and slashes included. */
export function globToRegex(glob: string): string {
  return `^${translateGlob(glob)}$`;
}

export interface PathGlobOptions {
  ignoreCase?: boolean;
  /** It is a line of an ignore file: braces choose nothing, and a backslash makes the next character an ordinary one. */
  ignoreLine?: boolean;
}

/** Compiles a glob for paths. */
export function compileGlob(
  glob: string,
  { ignoreCase = false, ignoreLine = false }: PathGlobOptions = {},
): Pick<LinearRegex, 'test'> {
  const source = translateGlob(glob, { path: true, choices: !ignoreLine, escapes: ignoreLine, negation: '!^' });
  return regexTest(`^${source}$`, { ignoreCase });
}

/** The longest run of plain characters in a glob for texts: a text without it cannot match. */
export function longestLiteral(glob: string): string {
  const literals = tokens(glob, {}).map((token) => ('literal' in token ? token.literal : ''));
  return literals.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

function tokens(
  glob: string,
  { path = false, choices = false, escapes = false, negation = '!' }: GlobOptions,
): Token[] {
  const found: Token[] = [];
  let literal = '';
  let open = 0;
  const push = (token: Token) => {
    if (literal !== '') found.push({ literal });
    literal = '';
    found.push(token);
  };
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] ?? '';
    if (char === '*') {
      const [stars = '*'] = (path ? /^\*{1,2}/ : /^\*+/).exec(glob.slice(i)) ?? [];
      i += stars.length - 1;
      if (!path || stars === '*') push({ wildcard: '*' });
      else if (glob[i + 1] !== '/') push({ wildcard: '**' });
      else {
        push({ wildcard: '**/' });
        i++;
      }
    } else if (char === '?') {
      push({ wildcard: '?' });
    } else if (char === '\\' && escapes && i + 1 < glob.length) {
      literal += glob[++i];
    } else if (char === '{' && choices && glob.includes('}', i)) {
      push({ choice: '(?:' });
      open++;
    } else if (open > 0 && char === ',') {
      push({ choice: '|' });
    } else if (open > 0 && char === '}') {
      push({ choice: ')' });
      open--;
    } else if (char === '[') {
      const negated = negation.includes(glob[i + 1] ?? ' ');
      const start = i + (negated ? 2 : 1);
      // A bracket right after the opening one is a member of the class, not its end.
      const end = glob.indexOf(']', start + 1);
      if (end === -1) {
        literal += char;
        continue;
      }
      push({ oneOf: glob.slice(start, end), negated });
      i = end;
    } else {
      literal += char;
    }
  }
  if (literal !== '') found.push({ literal });
  return found;
}
