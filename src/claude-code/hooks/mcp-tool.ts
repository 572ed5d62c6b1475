import { isObject, type JsonObject } from '../../document/json.js';
import type { HookInput } from './hook.js';

/** The input of a tool that a hook calls: `${tool_input.file_path}` in its texts is a field of the payload. */
export function fillInput(input: JsonObject, payload: HookInput): JsonObject {
  return fill(input, payload) as JsonObject;
}

function fill(value: unknown, payload: HookInput): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([\w.]+)\}/g, (_, path: string) => asText(at(payload, path)));
  if (Array.isArray(value)) return value.map((one) => fill(one, payload));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, payload)]));
}

function at(payload: JsonObject, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), payload);
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
