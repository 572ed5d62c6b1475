/** `opencode run "two words"` puts the quotes back around an argument with spaces, and a backslash before its own. */
export function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  const isQuoted = text.length > 2 && text.startsWith('"') && text.endsWith('"') && !/(?<!\\)"/.test(inner);
  return isQuoted ? inner.replaceAll('\\"', '"') : text;
}
