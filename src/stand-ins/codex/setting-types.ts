import type { JsonObject } from '../../document/json.js';
import { Refusal } from './refusal.js';

/** A setting that is a text. What else it is, is told in Codex's words. */
export function textIn(values: JsonObject, key: string): string | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(value, 'a string', key);
}

export function booleanIn(values: JsonObject, key: string): boolean | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrongType(value, 'a boolean', key);
}

/** A setting that is one of several words. */
export function choiceIn(values: JsonObject, key: string, choices: readonly string[], path = key): string | undefined {
  const value = textIn(values, key);
  if (value === undefined || choices.includes(value)) return value;
  const known = choices.map((choice) => `\`${choice}\``).join(', ');
  throw notLoaded(`unknown variant \`${value}\`, expected one of ${known}`, path);
}

export function wrongType(value: unknown, expected: string, path: string): Refusal {
  return notLoaded(`invalid type: ${kindOf(value)}, expected ${expected}`, path);
}

function notLoaded(problem: string, path: string): Refusal {
  return new Refusal(`Error loading config.toml: ${problem}\nin \`${path}\`\n\n`);
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  return Array.isArray(value) ? 'sequence' : 'map';
}
