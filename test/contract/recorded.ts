import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AllowedDifference, Contract } from './compare.js';

import { withParts } from './schema-parts.js';

/** The contract of one commit. */
export interface Base {
  commit: string;
  contract: Contract;
}

const BASE = resolve('test/contract/recorded/base.json');
/** Smaller pieces are written out each time. */
const WORTH_FOLDING = 200;
const SAME = 'the same as ';

export function readBase(): Base {
  const { commit, contract } = JSON.parse(readFileSync(BASE, 'utf8')) as Base;
  return { commit, contract: withParts(unfold(contract, contract) as Contract) };
}

export function readDifferences(): AllowedDifference[] {
  return JSON.parse(readFileSync(resolve('test/contract/differences.json'), 'utf8')) as AllowedDifference[];
}

/** Each item of a section stands in a line of its own, so that a diff of the file can be read. */
export function writeBase({ commit, contract }: Base): void {
  const folded = fold(contract, new Map(), []) as Contract;
  const lines = Object.entries(folded).map(([section, items]) => {
    const own = Object.entries(items).map(([name, item]) => `  ${JSON.stringify(name)}: ${JSON.stringify(item)}`);
    return ` ${JSON.stringify(section)}: {\n${own.join(',\n')}\n }`;
  });
  writeFileSync(BASE, `{"commit": ${JSON.stringify(commit)}, "contract": {\n${lines.join(',\n')}\n}}\n`);
}

/** What stands a second time is written as the place where it stands first. */
export function fold(tree: Contract | string, seen: Map<string, string>, path: readonly string[]): Contract | string {
  const text = JSON.stringify(tree);
  if (typeof tree === 'string' || text.length < WORTH_FOLDING) return tree;
  const first = seen.get(text);
  if (first !== undefined) return first;
  const folded = Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [name, fold(value, seen, [...path, name])]),
  );
  seen.set(text, `${SAME}${JSON.stringify(path)}`);
  return folded;
}

export function unfold(tree: Contract | string, whole: Contract): Contract | string {
  if (typeof tree !== 'string')
    return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, unfold(value, whole)]));
  if (!tree.startsWith(`${SAME}[`)) return tree;
  const path = JSON.parse(tree.slice(SAME.length)) as string[];
  const found = path.reduce<Contract | string>((at, name) => (typeof at === 'string' ? at : (at[name] ?? '')), whole);
  return unfold(found, whole);
}
