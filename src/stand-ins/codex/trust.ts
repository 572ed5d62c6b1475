import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '../../document/json.js';

/**
 * Codex trusts a project after the first run that may write there, and writes that into the user's settings. The stand-in
 * keeps it in a file of its own, because the settings may be those of a person.
 */
const FILE = 'understudy/trusted-projects';

/** Whether the settings of a project count. */
export function isTrusted(root: string, { projects }: JsonObject, home: string): boolean {
  const project = isObject(projects) ? projects[root] : undefined;
  const level = isObject(project) ? project['trust_level'] : undefined;
  return level === undefined ? known(home).includes(root) : level === 'trusted';
}

/** From now on the project is trusted. */
export function trust(root: string, home: string): void {
  const before = known(home);
  if (before.includes(root)) return;
  try {
    mkdirSync(join(home, 'understudy'), { recursive: true });
    writeFileSync(join(home, FILE), `${JSON.stringify([...before, root])}\n`);
  } catch {
    // A home that cannot be written: the next run does not know.
  }
}

function known(home: string): string[] {
  const list = parseJson(readIfThere(join(home, FILE)) ?? '[]');
  return isStringList(list) ? list : [];
}
