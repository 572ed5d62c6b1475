import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Agents } from './agents.js';
import { readPath } from './reading.js';
import { Unsupported } from './refusal.js';
import type { Places } from './settings/places.js';

/** What the model is told of a file that comes with a message: as if it had read it. */
export function attached(path: string): string[] {
  if (/\.(?:png|jpe?g|gif|webp|avif|bmp|pdf)$/i.test(path)) throw new Unsupported(`a picture or a paper (${path})`);
  const call = `Called the Read tool with the following input: ${JSON.stringify({ filePath: path })}`;
  return [call, readPath(path, {}).text];
}

/** What the model is told of the files, folders and agents behind an `@` in the text of a command. */
export function mentioned(text: string, { worktree, home }: Places, agents: Agents): string[] {
  const names = [...text.matchAll(/(?<![\w`])@(\.?[^\s`,.]*(?:\.[^\s`,.]+)*)/g)].map(([, name]) => name ?? '');
  return [...new Set(names)].flatMap((name) => {
    if (name === '') return [];
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : resolve(worktree, name);
    if (existsSync(path)) return attached(path);
    return agents.has(name)
      ? [` Use the above message and context to generate a prompt and call the task tool with subagent: ${name}`]
      : [];
  });
}
