import { accessSync, constants } from 'node:fs';
import { join, relative } from 'node:path';
import { kindOf } from '../../claude-code/plugins/tree.js';
import type { Issue } from './component.js';

const ROOT = /^["']?\$\{?CLAUDE_PLUGIN_ROOT\}?["']?\/(.+)$/;

/** What is wrong with the scripts of the plugin that a hook's command names; the CLI lists such a hook as if it were fine. */
export function scriptIssue(root: string, command: string, args: readonly string[] = []): Issue | undefined {
  const [first, ...others] = args.length > 0 ? [command, ...args] : words(command);
  for (const word of [first, ...others]) {
    const inside = word === undefined ? undefined : ROOT.exec(word)?.[1]?.replace(/["']/g, '');
    // A name that the shell makes up itself cannot be looked up.
    if (inside === undefined || /[$*?`]/.test(inside)) continue;
    const script = join(root, inside);
    if (kindOf(script) === undefined) {
      return {
        reason: `it runs ${relative(root, script)}, which does not exist: each run ends with exit code 127 or 1, and blocks nothing`,
        fix: `Add ${relative(root, script)}, or correct the command.`,
      };
    }
    if (word === first && !isExecutable(script)) {
      return {
        reason: `${relative(root, script)} is not executable: each run ends with exit code 126, and blocks nothing`,
        fix: `Run chmod +x ${relative(root, script)}, or name its interpreter in the command.`,
      };
    }
  }
  return undefined;
}

/** The words of the first command in a line, as a shell would cut them, more or less. */
function words(command: string): string[] {
  const [first = ''] = command.split(/[;&|\n<>]/);
  return first.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
