/** A JSON string is also a TOML string, except for one character that TOML wants escaped. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}

/** A value as TOML on one line. */
export function inline(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([key, field]) => `${bareKey(key)} = ${inline(field)}`).join(', ')} }`;
}

/** A key without quotes where TOML allows it. */
export function bareKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : quote(key);
}
