import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { NotSupported } from '../shared/refusal.js';
import { writeText } from '../shared/tools/files.js';
import {
  type LiveResult,
  type LiveTool,
  type LiveTools,
  plainTools,
  shellTool,
  type ToolInput,
} from '../shared/tools/plain-tools.js';
import { editPath } from './editing.js';
import { readPath } from './reading.js';
import { REFUSED } from './refused.js';
import { upwards } from './settings.js';

/** What each tool must be given. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  bash: ['command'],
  read: ['filePath'],
  write: ['content', 'filePath'],
  edit: ['filePath', 'oldString', 'newString'],
  glob: ['pattern'],
  grep: ['pattern'],
  todowrite: ['todos'],
};

const shell = shellTool(
  (timeoutMs) =>
    `\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout ${timeoutMs} ms. If this command is ` +
    'expected to take longer and is not waiting for interactive input, retry with a larger timeout value in ' +
    'milliseconds.\n</shell_metadata>',
  // Measured: `sleep 12 & echo x` takes 12 seconds, unless the sleep has another output.
  { untilClosed: true, variables: { AGENT: '1', OPENCODE: '1', OPENCODE_PID: String(process.pid) } },
);

/** The live tools with results as OpenCode words them, and with OpenCode's names of their arguments. */
export function opencodeLiveTools(root: string, approvesAll: boolean): LiveTools {
  const tools: LiveTools = {
    ...plainTools,
    shell: async (input, context) => {
      const cwd = resolve(context.cwd, typeof input['workdir'] === 'string' ? input['workdir'] : '.');
      const result = await shell(input, { ...context, cwd });
      if (result.text !== '') return result;
      return { ...result, text: SILENT, shell: { exit: 0, ...result.shell, output: SILENT } };
    },
    read: fileTool((path, input) => {
      refuseToRead(path, root, approvesAll);
      return readPath(path, input);
    }),
    write: fileTool((path, { content }) => {
      const exists = existsSync(path);
      writeText(path, String(content ?? ''));
      const metadata = { diagnostics: {}, filepath: path, exists };
      return { text: 'Wrote file successfully.', isError: false, metadata };
    }),
    edit: fileTool(editPath),
    todowrite: async ({ todos }) => ({
      text: JSON.stringify(todos, null, 2),
      isError: false,
      metadata: { todos },
    }),
  };
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, tool === undefined ? tool : checked(ownName(name), tool)]),
  ) as LiveTools;
}

/** Files of variables are asked for, and a file brings the instructions of its folders with it. */
function refuseToRead(path: string, root: string, approvesAll: boolean): void {
  if (!approvesAll && /\.env(?:\.(?!example$)[^/]*)?$/.test(path))
    throw new NotSupported(`${REFUSED.environmentFiles} ${path}`);
  if (!path.startsWith(`${root}/`) || !existsSync(path)) return;
  const folders = upwards(dirname(path), root).filter((folder) => folder !== root);
  const told = folders.flatMap((folder) => ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'].map((name) => join(folder, name)));
  const file = told.find((one) => one !== path && existsSync(one));
  if (file !== undefined) throw new NotSupported(`${REFUSED.contexts} ${file}`);
}

const SILENT = '(no output)';

function ownName(name: string): string {
  return name === 'shell' ? 'bash' : name;
}

/** Without one of its arguments, a tool does nothing. */
function checked(name: string, tool: LiveTool): LiveTool {
  return async (input, context) => {
    const missing = REQUIRED[name]?.find((key) => input[key] === undefined);
    if (missing === undefined) return await tool(input, context);
    const problem = `SchemaError(Missing key\n  at ["${missing}"]).`;
    const text = `The ${name} tool was called with invalid arguments: ${problem}\nPlease rewrite the input so it satisfies the expected schema.`;
    return { text, isError: true };
  };
}

function fileTool(work: (path: string, input: ToolInput) => LiveResult): LiveTool {
  return async (input, { cwd }) => {
    try {
      return work(resolve(cwd, String(input['filePath'] ?? '')), input);
    } catch (error) {
      if (error instanceof NotSupported) throw error;
      return { text: (error as Error).message, isError: true };
    }
  };
}
