type Token = { literal: string } | { wildcard: '*' | '?' } | { oneOf: string; negated: boolean };

/**
 * A glob for texts. `*` matches any characters, including line ends and slashes; `?` one character; `[abc]` and
 * `[!abc]` one of a class. (In a path glob, `*` would stop at a slash.)
 */
export function globToRegex(glob: string): string {
  const parts = tokens(glob).map((token) => {
    if ('literal' in token) return token.literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    if ('wildcard' in token) return token.wildcard === '*' ? '(.*)' : '(.)';
    return `[${token.negated ? '^' : ''}${token.oneOf.replace(/[\\\]^[&~]/g, '\\$&')}]`;
  });
  return `^${parts.join('')}$`;
}

/** The longest run of plain characters: a text without it cannot match. */
export function longestLiteral(glob: string): string {
  const literals = tokens(glob).map((token) => ('literal' in token ? token.literal : ''));
  return literals.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

function tokens(glob: string): Token[] {
  const found: Token[] = [];
  let literal = '';
  const push = (token: Token) => {
    if (literal !== '') found.push({ literal });
    literal = '';
    found.push(token);
  };
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] ?? '';
    if (char === '*') {
      while (glob[i + 1] === '*') i++;
      push({ wildcard: '*' });
    } else if (char === '?') {
      push({ wildcard: '?' });
    } else if (char === '[') {
      const negated = glob[i + 1] === '!';
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
