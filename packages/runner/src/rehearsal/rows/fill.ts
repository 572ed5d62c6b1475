import { isObject, type Path } from '@understudy/kit';

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;
const WHOLE = /^\{\{\s*(\w+)\s*\}\}$/;

export type Values = Readonly<Record<string, unknown>>;

/** Every `{{name}}` of a text. */
export function placeholdersIn(text: string): string[] {
  return text.includes('{{') ? [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name) : [];
}

/** Called with each text of a document, keys too. */
export function eachText(value: unknown, visit: (text: string, path: Path) => void, path: Path = []): void {
  if (typeof value === 'string') visit(value, path);
  else if (Array.isArray(value)) for (const [index, one] of value.entries()) eachText(one, visit, [...path, index]);
  else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      visit(key, [...path, key]);
      eachText(one, visit, [...path, key]);
    }
  }
}

/**
 * A copy of a document with the values of a row. A value that is one placeholder keeps the type that the row gives it;
 * `typed` has the paths of those that are no text, except where `asText` says that a text is wanted.
 */
export function fill(
  value: unknown,
  values: Values,
  { asText, typed, path = [] }: { asText: (path: Path) => boolean; typed: Path[]; path?: Path },
): unknown {
  if (typeof value === 'string') {
    const whole = WHOLE.exec(value)?.[1];
    const own = whole === undefined ? undefined : values[whole];
    if (own === undefined || typeof own === 'string' || asText(path)) return filledText(value, values);
    typed.push(path);
    return structuredClone(own);
  }
  const below = (one: unknown, key: string | number) => fill(one, values, { asText, typed, path: [...path, key] });
  if (Array.isArray(value)) return value.map(below);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [filledText(key, values), below(one, key)]));
}

export function filledText(text: string, values: Values): string {
  if (!text.includes('{{')) return text;
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}
