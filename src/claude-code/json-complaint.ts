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
  if (/[{]$/.test(withoutStrings)) return "JSON Parse error: Expected '}'";
  return 'JSON Parse error: Unexpected EOF';
}
