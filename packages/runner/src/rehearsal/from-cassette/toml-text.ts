/** A JSON string is also a TOML string, except for one character that TOML wants escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}

const LONGEST_LINE = 110;

/** A text of several lines stands as it is read. */
function textValue(text: string): string {
  const lines = text.split('\n');
  // Quotation marks, backslashes and control characters have a meaning there.
  if (lines.length < 3 || /["\\]|\p{Cc}/u.test(lines.join(''))) return quote(text);
  return `"""\n${text}"""`;
}

/** A JSON value in TOML, on one line where it fits; lists have a line for each entry where it does not. */
export function tomlValue(value: unknown, indent = ''): string {
  const short = valueText(value, indent, false);
  return short.length <= LONGEST_LINE ? short : valueText(value, indent, true);
}

function valueText(value: unknown, indent: string, isWide: boolean): string {
  if (typeof value === 'string') return textValue(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    const inner = isWide ? `${indent}  ` : indent;
    const entries = value.map((entry) => (isWide ? tomlValue(entry, inner) : valueText(entry, indent, false)));
    if (!isWide || value.length === 0) return `[${entries.join(', ')}]`;
    return `[\n${entries.map((entry) => `${inner}${entry},`).join('\n')}\n${indent}]`;
  }
  const fields = Object.entries(value as object).filter(([, entry]) => entry !== undefined && entry !== null);
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([key, entry]) => `${tomlKey(key)} = ${valueText(entry, indent, isWide)}`).join(', ')} }`;
}

function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quote(key);
}

/** The fields of a table, one on each line. */
export function tomlFields(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${tomlKey(key)} = ${tomlValue(value)}`],
  );
}
