import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** What git runs or obeys for a work tree by its configuration: the folder of its hooks, and included files. */
export function gitCommands(tree: string): string[] {
  const hooks = ask(tree, ['rev-parse', '--git-path', 'hooks']).trim();
  // Paths of configuration files are relative to the top.
  const top = ask(tree, ['rev-parse', '--show-toplevel']).trim() || tree;
  // An origin and a setting, by turns.
  const words = ask(tree, ['config', '--list', '--show-origin', '-z']).split('\0');
  const files = words.flatMap((origin, index) => {
    if (index % 2 === 1 || !origin.startsWith('file:')) return [];
    const file = resolve(top, origin.slice('file:'.length));
    const included = /^include(?:if\..*)?\.path\n(.+)$/s.exec(words[index + 1] ?? '')?.[1];
    // A condition may become true later.
    return included === undefined ? [file] : [file, fromHome(dirname(file), included)];
  });
  return [...new Set(hooks === '' ? files : [resolve(tree, hooks), ...files])];
}

function fromHome(folder: string, path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path);
}

/** Of whoever calls us from a hook of git: they name another repository. */
const NAMES_REPOSITORY = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$/;

/** With the configuration of the user, as their own git. These commands run nothing of it. */
function ask(cwd: string, args: readonly string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NAMES_REPOSITORY.test(name)));
  try {
    return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    // No repository, or no git.
    return '';
  }
}
