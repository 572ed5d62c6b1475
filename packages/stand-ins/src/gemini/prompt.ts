import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NotSupported } from '../shared/refusal.js';
import { REFUSED } from './refused.js';

/** The names that commands of Gemini CLI itself have. */
const BUILT_IN = new Set(
  (
    'about agents auth bug bug-memory chat clear new commands compress summarize compact copy corgi docs export-session ' +
    'directory dir editor extensions help footer statusline shortcuts hooks rewind ide init mcp memory model permissions ' +
    'plan policies privacy quit exit restore resume stats usage theme tools skills settings gemma tasks bg background vim ' +
    'setup-github terminal-setup'
  ).split(' '),
);

/** The agents that every Gemini CLI has. */
const AGENTS = ['codebase_investigator', 'generalist', 'cli_help'];

/** Refuses a prompt that Gemini CLI would change before the model sees it. */
export function refuseExpanded(prompt: string, { home, root }: { home: string; root: string }): void {
  const [, command] = /^\/(?![/*])(\S*)/.exec(prompt.trim()) ?? [];
  const hasOwn = [home, join(root, '.gemini')].some((folder) => existsSync(join(folder, 'commands')));
  if (command !== undefined && (hasOwn || BUILT_IN.has(command)))
    throw new NotSupported(`${REFUSED.commands} /${command}`);
  const names = [...prompt.matchAll(/(?<!\\)@((?:\\.|[^\s,;!?()[\]{}])+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return;
  const files = (readdirSync(root, { recursive: true }) as string[]).map((file) => file.toLowerCase());
  for (const name of names) {
    const path = name.replace(/\\(.)|"/g, '$1').replace(/[./]+$/, '');
    const wanted = path.replace(/^\.\//, '').toLowerCase();
    const isThere = existsSync(resolve(root, path)) || files.some((file) => file.includes(wanted));
    if (isThere || AGENTS.includes(wanted) || /[*?]/.test(wanted))
      throw new NotSupported(`${REFUSED.references} @${name}`);
  }
}
