import type { JsonObject } from '../../document/json.js';
import { Refusal } from './refusal.js';

/** A setting that Codex cannot use. Its commands say so in different words. */
export class BadSetting extends Refusal {
  readonly lines: readonly string[];

  constructor(problem: string, path: string) {
    super(`Error loading config.toml: ${problem}\nin \`${path}\`\n\n`);
    this.lines = [problem, `in \`${path}\``, ''];
  }
}

/** A setting that is a text. What else it is, is told in Codex's words. */
export function textIn(values: JsonObject, key: string, path = key): string | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(value, 'a string', path);
}

export function booleanIn(values: JsonObject, key: string, path = key): boolean | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrongType(value, 'a boolean', path);
}

/** A setting that is one of several words. */
export function choiceIn(values: JsonObject, key: string, choices: readonly string[], path = key): string | undefined {
  const value = textIn(values, key, path);
  if (value === undefined || choices.includes(value)) return value;
  const known = choices.map((choice) => `\`${choice}\``).join(', ');
  throw new BadSetting(`unknown variant \`${value}\`, expected one of ${known}`, path);
}

export function wrongType(value: unknown, expected: string, path: string): BadSetting {
  return new BadSetting(`invalid type: ${kindOf(value)}, expected ${expected}`, path);
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  return Array.isArray(value) ? 'sequence' : 'map';
}
