import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The cases of one CLI: YAML files, each a list. `kind` is the name of their folder. */
export function readCases<Case extends { name: string }>(kind: string): Case[] {
  const folder = fileURLToPath(new URL(kind, import.meta.url));
  const cases = readdirSync(folder)
    .sort()
    .flatMap((file) => parse(readFileSync(join(folder, file), 'utf8')) as Case[]);
  const names = cases.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`two cases of ${kind} have the name ${twice.join(', ')}`);
  return cases;
}
