import { resolve } from 'node:path';
import { NotSupported } from '../shared/refusal.js';
import { type LiveTool, type LiveTools, plainTools, type ToolInput } from '../shared/tools/plain-tools.js';
import { replace, writeFile } from './changing-tools.js';
import { runCommand } from './command-run.js';
import { checkSearch, grep } from './grep-tool.js';
import { findByGlob, listFolder, readFile } from './reading-tools.js';
import { REFUSED } from './refused.js';
import { hasSubstitution } from './substitution.js';
import { attempt, insideWorkspace, type ToolReport } from './tool-result.js';
import type { Workspace } from './workspace.js';

const SUBSTITUTION =
  'Command injection detected: command substitution syntax ($(), backticks, <() or >()) found in command arguments. On PowerShell, @() array subexpressions and $() subexpressions are also blocked. This is a security risk and the command was blocked.';
const SUBSTITUTION_SHOWN = 'Blocked: command substitution detected in shell command.';

/** The tools of Gemini CLI, with its results for the model and for the user. */
export function geminiLiveTools(workspace: Workspace): LiveTools {
  const inside = (given: unknown): string => insideWorkspace(String(given ?? '.'), workspace);
  const fileTool =
    (work: (path: string, input: ToolInput, workspace: Workspace) => ToolReport): LiveTool =>
    async (input) =>
      attempt(() => {
        const path = inside(input['file_path'] ?? '');
        workspace.refuseContext(path);
        return work(path, input, workspace);
      });
  return {
    ...plainTools,
    shell: async ({ command, dir_path, is_background }, { env }) => {
      if (is_background === true) throw new NotSupported(REFUSED.background);
      const text = String(command ?? '');
      const folder = resolve(workspace.root, String(dir_path ?? '.'));
      const outside = attempt(() => ({ text: inside(folder) }));
      if (outside.isError) return outside;
      if (hasSubstitution(text)) return { text: SUBSTITUTION, isError: false, shown: SUBSTITUTION_SHOWN };
      const { trimmed, output, exitCode, signal, pid } = await runCommand(text, folder, env);
      const facts = [
        `Output: ${trimmed || '(empty)'}`,
        ...(signal !== undefined ? [`Signal: ${signal}`] : exitCode === 0 ? [] : [`Exit Code: ${exitCode}`]),
        `Process Group PGID: ${pid}`,
      ];
      return {
        text: `<untrusted_context>\n${facts.join('\n')}\n</untrusted_context>`,
        isError: exitCode !== 0,
        shown: trimmed || endingOf(signal, exitCode),
        shell: { output, exit: exitCode },
      };
    },
    read: fileTool(readFile),
    write: fileTool(writeFile),
    edit: fileTool(replace),
    glob: async (input) => attempt(() => findByGlob(input, inside(input['dir_path']), workspace)),
    grep: async (input, { env }) => {
      const checked = attempt(() => {
        checkSearch(input, workspace.root);
        return { text: '' };
      });
      if (checked.isError) return checked;
      const found = await grep(inside(input['dir_path']), input, workspace, env);
      return { text: found, isError: false, shown: undefined };
    },
    list_directory: async ({ dir_path }) =>
      attempt(() => {
        const folder = inside(dir_path);
        workspace.refuseContext(folder);
        return { text: listFolder(folder, workspace) };
      }),
  };
}

function endingOf(signal: number | undefined, exitCode: number): string {
  if (signal !== undefined) return `Command terminated by signal: ${signal}`;
  return exitCode === 0 ? '' : `Command exited with code: ${exitCode}`;
}
