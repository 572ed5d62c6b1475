import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { isObject } from '../../../document/json.js';
import { listFiles } from '../files/find-files.js';

/** Where a command comes from: of the same name, each gets this before it. */
type Origin = 'user' | 'workspace';

export interface CustomCommand {
  /** As its file says. */
  name: string;
  prompt: string;
}

/** The names that commands of Gemini CLI itself have. */
const BUILT_IN = new Set(
  (
    'about agents auth bug bug-memory chat clear new commands compress summarize compact copy corgi docs export-session ' +
    'directory dir editor extensions help footer statusline shortcuts hooks rewind ide init mcp memory model permissions ' +
    'plan policies privacy quit exit restore resume stats usage theme tools skills settings gemma tasks bg background vim ' +
    'setup-github terminal-setup'
  ).split(' '),
);

export function isBuiltIn(name: string): boolean {
  return BUILT_IN.has(name);
}

/** The own commands by the names that they can be called with. */
export function customCommands(
  folders: Readonly<Record<Origin, string | undefined>>,
  warn: (line: string) => void,
): Map<string, CustomCommand> {
  const all = (['user', 'workspace'] as const).flatMap((origin) => {
    const folder = folders[origin];
    return folder === undefined ? [] : commandsIn(folder, warn).map((command) => ({ ...command, origin }));
  });
  const isTaken = (name: string): boolean =>
    isBuiltIn(name) || all.filter((command) => command.name === name).length > 1;
  return new Map(all.map(({ name, prompt, origin }) => [isTaken(name) ? `${origin}.${name}` : name, { name, prompt }]));
}

function commandsIn(folder: string, warn: (line: string) => void): CustomCommand[] {
  const files = listFiles(folder, new Set()).filter((file) => file.endsWith('.toml'));
  return files.flatMap((file) => {
    const name = file
      .replace(/\.toml$/, '')
      .split('/')
      .map((part) => part.replace(/[^\w\-.]/g, '_'))
      .map((part) => (part.length > 50 ? `${part.slice(0, 47)}...` : part))
      .join(':');
    const prompt = promptIn(join(folder, file), warn);
    return prompt === undefined ? [] : [{ name, prompt }];
  });
}

function promptIn(file: string, warn: (line: string) => void): string | undefined {
  const problem = (text: string): undefined => {
    warn(`[FileCommandLoader] ${text}`);
    warn(`[ERROR] [FileCommandLoader] ${text}`);
  };
  try {
    const content: unknown = parse(readFileSync(file, 'utf8'));
    const { prompt, description } = isObject(content) ? content : {};
    const isDescribed = description === undefined || typeof description === 'string';
    if (typeof prompt === 'string' && isDescribed) return prompt;
    return problem(`Skipping invalid command file: ${file}. Validation errors:`);
  } catch {
    return problem(`Failed to parse TOML file ${file}:`);
  }
}
