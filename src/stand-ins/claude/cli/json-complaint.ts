/**
 * What the parser of the real CLI (JavaScriptCore) says about a text that is no JSON, for the two commonest mistakes:
 * a text that ends too early, and a word without quotes.
 */
export function jsonComplaint(text: string): string {
  const trimmed = text.trim();
  const word = /^[A-Za-z_$][\w$]*/.exec(trimmed)?.[0];
  if (word !== undefined) return `JSON Parse error: Unexpected identifier "${word}"`;
  if (trimmed.startsWith('{')) return "JSON Parse error: Expected '}'";
  return trimmed === '' ? 'JSON Parse error: Unexpected EOF' : 'JSON Parse error: Unable to parse JSON string';
}
