import { readdirSync, statSync } from 'node:fs';
import {
  editTool,
  fileTool,
  type LiveTools,
  plainTools,
  readOr,
  shellTool,
  type ToolInput,
} from '../shared/tools/plain-tools.js';

const MOST_LINES = 2000;

/** The live tools with results as OpenCode words them. */
export const opencodeLiveTools: LiveTools = {
  ...plainTools,
  shell: shellTool(
    (timeoutMs) =>
      `\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout ${timeoutMs} ms. If this command is ` +
      'expected to take longer and is not waiting for interactive input, retry with a larger timeout value in ' +
      'milliseconds.\n</shell_metadata>',
    // Measured: `sleep 12 & echo x` takes 12 seconds, unless the sleep has another output.
    { untilClosed: true, variables: { AGENT: '1', OPENCODE: '1', OPENCODE_PID: String(process.pid) } },
  ),
  read: fileTool((path, input) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readFolder(path) : readFile(path, input),
  ),
  edit: editTool({
    missing: (path) => `File ${path} not found`,
    noMatch:
      'Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.',
    manyMatches: 'Found multiple matches for oldString. Provide more surrounding context to make the match unique.',
  }),
};

function readFile(path: string, { offset, limit }: ToolInput): string {
  const content = readOr(path, () => `File not found: ${path}`);
  const lines = (content.endsWith('\n') ? content.slice(0, -1) : content).split('\n');
  const first = Math.max(1, typeof offset === 'number' ? offset : 1);
  const shown = lines.slice(first - 1, first - 1 + (typeof limit === 'number' ? limit : MOST_LINES));
  const last = first + shown.length - 1;
  const numbered = shown.map((line, index) => `${first + index}: ${line}`).join('\n');
  const note =
    last < lines.length
      ? `(Showing lines ${first}-${last} of ${lines.length}. Use offset=${last + 1} to continue.)`
      : `(End of file - total ${lines.length} lines)`;
  return `<path>${path}</path>\n<type>file</type>\n<content>\n${numbered}\n\n${note}\n</content>`;
}

function readFolder(path: string): string {
  const entries = readdirSync(path, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
  return `<path>${path}</path>\n<type>directory</type>\n<entries>\n${entries.join('\n')}\n\n(${entries.length} entries)\n</entries>`;
}
