import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import { commandsOf } from './read-hooks.js';

/** Tells of the hooks of a project that run here for the first time, and remembers them as the real CLI does. */
export function tellNewHooks(home: string, root: string, hooks: JsonObject, warn: (line: string) => void): void {
  const file = join(home, 'trusted_hooks.json');
  const saved = parseJson(readIfThere(file) ?? '{}');
  const trusted = isObject(saved) ? saved : {};
  const known = isStringList(trusted[root]) ? trusted[root] : [];
  const commands = commandsOf(hooks);
  const unknown = new Set(commands.filter(({ key }) => !known.includes(key)).map(({ name }) => name));
  if (unknown.size === 0) return;
  const list = [...unknown].map((name) => `  - ${name}`).join('\n');
  warn(
    `WARNING: The following project-level hooks have been detected in this workspace:\n${list}\n\nThese hooks will be executed. If you did not configure these hooks or do not trust this project,\nplease review the project settings (.gemini/settings.json) and remove them.`,
  );
  mkdirSync(dirname(file), { recursive: true });
  const keys = [...new Set([...known, ...commands.map(({ key }) => key)])];
  writeFileSync(file, JSON.stringify({ ...trusted, [root]: keys }, null, 2));
}
