/**
 * What the parser of the real CLI (JavaScriptCore) says about a text that is no JSON, for the commonest mistakes: a
 * word without quotes, and a text that ends too early.
 */
export function jsonComplaint(text: string): string {
  const trimmed = text.trim();
  const word = /^[A-Za-z_$][\w$]*/.exec(trimmed)?.[0];
  if (word !== undefined) return `JSON Parse error: Unexpected identifier "${word}"`;
  const withoutStrings = trimmed.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (/"[^"]*$/.test(withoutStrings.replaceAll('""', ''))) return 'JSON Parse error: Unterminated string';
  const open = openBracket(withoutStrings);
  if (open === '{' && !/[,:]$/.test(withoutStrings)) return "JSON Parse error: Expected '}'";
  if (open === '[' && !/[[,]$/.test(withoutStrings)) return "JSON Parse error: Expected ']'";
  return 'JSON Parse error: Unexpected EOF';
}

/** The innermost bracket that is not closed. */
function openBracket(text: string): string | undefined {
  const open: string[] = [];
  for (const sign of text) {
    if (sign === '{' || sign === '[') open.push(sign);
    if (sign === '}' || sign === ']') open.pop();
  }
  return open.at(-1);
}
