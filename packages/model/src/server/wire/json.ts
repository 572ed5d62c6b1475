import { isObject, type JsonObject } from '@understudy/kit';

/** The objects in a list; anything else in it, or no list at all, counts as nothing. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Arguments that travel as JSON text; text that is no JSON object is no arguments. */
export function parseObject(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}
