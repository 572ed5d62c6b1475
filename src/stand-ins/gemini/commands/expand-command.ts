import { join } from 'node:path';
import type { Part } from '../files/file-content.js';
import { realPath, type Workspace } from '../files/workspace.js';
import { NotSupported } from '../options.js';
import type { ToolPolicy } from '../policy/tool-policy.js';
import type { Streams } from '../view.js';
import { customCommands, isBuiltIn } from './find-command.js';
import { injectFiles } from './inject-files.js';
import { injectShell } from './inject-shell.js';

export interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** Gemini CLI's folder in the home. */
  home: string;
  workspace: Workspace;
  policy: ToolPolicy;
  streams: Streams;
}

/** What a command of the user or the project makes of a prompt; undefined if the prompt calls none. */
export async function expandCommand(prompt: string, context: CommandContext): Promise<Part[] | undefined> {
  const { home, workspace, streams } = context;
  const [called = '', ...rest] = prompt.slice(1).trim().split(/\s+/);
  const own = join(workspace.root, '.gemini');
  const commands = customCommands(
    {
      user: join(home, 'commands'),
      workspace: realPath(own) === realPath(home) ? undefined : join(own, 'commands'),
    },
    (line) => streams.error(`${line}\n`),
  );
  const command = commands.get(called);
  if (command === undefined) {
    // In a place without a terminal, its help is nothing, and the model is asked.
    if (isBuiltIn(called) && called !== 'help') throw new NotSupported(`the command /${called}`);
    return undefined;
  }
  if (command.prompt.trim() === '') throw new NotSupported(`a command with an empty prompt (/${called})`);
  const args = rest.join(' ');
  const usesArgs = command.prompt.includes('{{args}}');
  let parts: Part[] = [{ text: command.prompt }];
  if (command.prompt.includes('@{')) parts = injectFiles(parts, command.name, { called, workspace, streams });
  if (usesArgs || command.prompt.includes('!{')) parts = await injectShell(parts, command.name, args, context);
  return usesArgs || args === '' ? parts : withInvocation(parts, prompt.trim());
}

/** A command that does not say where its arguments go gets the whole line at its end. */
function withInvocation(parts: readonly Part[], line: string): Part[] {
  const last = parts.at(-1);
  if (last === undefined || !('text' in last)) return [...parts, { text: `\n\n${line}` }];
  return [...parts.slice(0, -1), { text: `${last.text}\n\n${line}` }];
}
