import { resolve } from 'node:path';
import { type LiveTool, type LiveTools, plainTools, type ToolInput } from '../shared/tools/plain-tools.js';
import { replace, writeFile } from './changing-tools.js';
import { runCommand } from './command-run.js';
import { withContext } from './files/folder-context.js';
import type { Workspace } from './files/workspace.js';
import { checkSearch, grep } from './grep-tool.js';
import { hasSubstitution } from './policy/shell-line.js';
import type { ToolPolicy } from './policy/tool-policy.js';
import { findByGlob, listFolder, readFile } from './reading-tools.js';
import { attempt, insideWorkspace, type Told } from './tool-result.js';

const SUBSTITUTION =
  'Command injection detected: command substitution syntax ($(), backticks, <() or >()) found in command arguments. On PowerShell, @() array subexpressions and $() subexpressions are also blocked. This is a security risk and the command was blocked.';
const SUBSTITUTION_SHOWN = 'Blocked: command substitution detected in shell command.';

/** The tools of Gemini CLI, with its results for the model and for the user. */
export function geminiLiveTools(workspace: Workspace, policy: ToolPolicy): LiveTools {
  const inside = (given: unknown): string => insideWorkspace(String(given ?? '.'), workspace);
  const fileTool =
    (
      work: (path: string, input: ToolInput, workspace: Workspace) => Told,
      pathOf = (given: string): string => given,
    ): LiveTool =>
    async (input) =>
      attempt(() => {
        const path = inside(pathOf(String(input['file_path'] ?? '')));
        const told = work(path, input, workspace);
        return { ...told, text: withContext(told.text, workspace.context.discover(path)) };
      });
  const pathToWrite = (given: string): string => policy.pathToWrite(given);
  return {
    ...plainTools,
    shell: async ({ command, dir_path }, { env }) => {
      const text = String(command ?? '');
      if (hasSubstitution(text)) return { text: SUBSTITUTION, isError: false, shown: SUBSTITUTION_SHOWN };
      const folder = resolve(workspace.root, String(dir_path ?? '.'));
      const { said, output, exitCode, signal, pid } = await runCommand(text, folder, env);
      const facts = [
        `Output: ${said || '(empty)'}`,
        ...(signal !== undefined ? [`Signal: ${signal}`] : exitCode === 0 ? [] : [`Exit Code: ${exitCode}`]),
        `Process Group PGID: ${pid}`,
      ];
      return {
        text: `<untrusted_context>\n${facts.join('\n')}\n</untrusted_context>`,
        isError: exitCode !== 0,
        shown: said || endingOf(signal, exitCode),
        shell: { output, exit: exitCode },
      };
    },
    read: fileTool(readFile),
    write: fileTool(writeFile, pathToWrite),
    edit: fileTool(replace, pathToWrite),
    glob: async ({ pattern, dir_path, case_sensitive }) =>
      attempt(() => {
        const folders = dir_path === undefined ? workspace.folders : [inside(dir_path)];
        return findByGlob(String(pattern ?? ''), folders, workspace, case_sensitive === true);
      }),
    grep: async (input, { env }) => {
      const checked = attempt(() => {
        checkSearch(input, workspace.root);
        return { text: '' };
      });
      if (checked.isError) return checked;
      const folders = input['dir_path'] === undefined ? workspace.folders : [inside(input['dir_path'])];
      return { text: await grep(folders, input, env), isError: false, shown: undefined };
    },
    list_directory: async ({ dir_path }) =>
      attempt(() => {
        const folder = inside(dir_path);
        return { text: withContext(listFolder(folder, workspace), workspace.context.discover(folder)) };
      }),
  };
}

function endingOf(signal: number | undefined, exitCode: number): string {
  if (signal !== undefined) return `Command terminated by signal: ${signal}`;
  return exitCode === 0 ? '' : `Command exited with code: ${exitCode}`;
}
