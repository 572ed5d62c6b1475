import { existsSync, readFileSync } from 'node:fs';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The value where it is a text, and an empty text otherwise. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a file, or undefined if it does not exist. */
export function readIfThere(file: string): string | undefined {
  // Most of these files do not exist, and an exception is slower than this check.
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

/** Parses JSON, or returns undefined if the text is not JSON. */
export function parseJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

const TEXT = /"(?:[^"\\]|\\.)*"/.source;

/** JSON without comments, and without a comma behind the last of a list. What stands in a text is left alone. */
export function withoutComments(json: string): string {
  const kept = (_: string, text = ''): string => text;
  return json
    .replaceAll(new RegExp(`(${TEXT})|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, 'g'), kept)
    .replaceAll(new RegExp(`(${TEXT})|,(?=\\s*[}\\]])`, 'g'), kept);
}
