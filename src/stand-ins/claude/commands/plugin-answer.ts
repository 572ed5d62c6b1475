import type { JsonObject } from '../../../document/json.js';
import type { ParsedArguments } from '../cli/arguments.js';
import { none, one } from '../cli/flags.js';
import type { Told } from './command.js';

/** The flags that commands about plugins share. */
export const JSON_FLAG = none('--json');
export const SCOPE_FLAG = one('scope', '--scope', '-s');

/** What a command did, as one line of JSON or in words. */
export interface PluginAnswer {
  /** Whether the line of JSON is wanted. */
  asJson: boolean;
  /** What is said before it is done. */
  begin?: string;
  fields: JsonObject;
  message: string;
}

export function succeeded({ asJson, begin = '', fields, message }: PluginAnswer): Told {
  return { out: asJson ? jsonLine(fields) : `${begin}✔ ${message}\n` };
}

/** The reason is told on stderr in both cases, with what was tried. */
export function failed({ asJson, begin, fields, message }: PluginAnswer): Told {
  const out = asJson ? jsonLine(fields) : begin === undefined ? '' : `${begin}\n`;
  return { out, err: `✘ ${message}\n`, exitCode: 1 };
}

function jsonLine(fields: JsonObject): string {
  return `${JSON.stringify(fields)}\n`;
}

export function lastOf(flags: ParsedArguments['flags'], name: string): string | undefined {
  return flags.get(name)?.at(-1);
}
