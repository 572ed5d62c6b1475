import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentLocations, agentNames } from '@understudy/agents';
import { isModuleFile, isObject, isRehearsalFile, isStringList, readSource, visibleOnOneLine } from '@understudy/kit';
import { readProjectConfig } from '@understudy/runner';
import { print } from './output.js';

/** What a shell asks for while somebody types: words that only this machine and this project know. */
export const valueKinds = ['agents', 'targets', 'tags'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** Somebody waits: so many names of files and folders are looked at. */
const MOST_NAMES = 5_000;
const MOST_FILES = 300;

/** Prints the values of a kind, each on a line of its own. What is wrong with a file is no matter of this moment. */
export function printValues(kind: ValueKind): void {
  for (const value of new Set(valuesOf(kind))) if (value === visibleOnOneLine(value)) print(value);
}

function valuesOf(kind: ValueKind): string[] {
  switch (kind) {
    case 'agents':
      return agentNames.flatMap((name) => [
        name,
        ...agentLocations(name).flatMap(({ version }) => (version === undefined ? [] : [`${name}@${version}`])),
      ]);
    case 'targets':
      return (configured()?.targets ?? []).map(({ name }) => name);
    case 'tags':
      return tagsIn(rehearsalsBelow(configured()?.paths ?? ['.'])).map((tag) => `@${tag.replace(/^@/, '')}`);
  }
}

function configured(): ReturnType<typeof readProjectConfig> | undefined {
  try {
    return readProjectConfig();
  } catch {
    return undefined;
  }
}

/** The nearest ones first. */
function rehearsalsBelow(paths: readonly string[]): string[] {
  const files: string[] = [];
  const folders = [...paths];
  let left = MOST_NAMES;
  for (const folder of folders) {
    for (const entry of entriesIn(folder)) {
      if (left-- <= 0 || files.length >= MOST_FILES) return files;
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (isRehearsalFile(path) && !isModuleFile(path)) files.push(path);
    }
  }
  return files;
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function tagsIn(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    try {
      const { value } = readSource(file);
      const tags = isObject(value) ? value['tags'] : undefined;
      return isStringList(tags) ? tags : [];
    } catch {
      return [];
    }
  });
}
