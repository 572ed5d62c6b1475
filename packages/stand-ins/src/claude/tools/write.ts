import { statSync } from 'node:fs';
import { fullPath } from '@understudy/agents';
import { REFUSED } from '../refused.js';
import { CHANGED_SINCE_READ, type LiveTool, refuse, text, unreadFile } from './live-tool.js';
import { structuredPatch } from './patch.js';
import { readTextFile, withMarkOf, writeTextFile } from './text-file.js';

export const SEEN = '(file state is current in your context — no need to Read it back)';

export const write: LiveTool = {
  parameters: { file_path: { type: 'string', required: true }, content: { type: 'string', required: true } },

  check(input, context) {
    const filePath = text(input, 'file_path');
    const path = fullPath(context.cwd, filePath);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory())
      return `${filePath} is a directory, not a file. To create a file inside it, include the file name in file_path.`;
    if (!stat?.isFile()) return undefined;
    return unreadFile(path, context) ?? (context.seenFiles.isStale(path) ? CHANGED_SINCE_READ : undefined);
  },

  async run(input, { cwd, seenFiles }) {
    const filePath = text(input, 'file_path');
    const path = fullPath(cwd, filePath);
    if (path.endsWith('.ipynb')) refuse(REFUSED.notebooks);
    const file = readTextFile(path);
    // An empty file is as good as none.
    const originalFile = file?.text || null;
    const content = withMarkOf(file, text(input, 'content'));
    writeTextFile(path, content);
    seenFiles.see(path, { whole: true, watched: true });
    const useResult = {
      type: originalFile === null ? 'create' : 'update',
      filePath,
      content,
      structuredPatch: originalFile === null ? [] : structuredPatch(originalFile, content),
      originalFile,
      userModified: false,
    };
    const done =
      originalFile === null
        ? `File created successfully at: ${filePath}`
        : `The file ${filePath} has been updated successfully.`;
    return { content: `${done} ${SEEN}`, useResult };
  },
};
