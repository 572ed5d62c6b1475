import { statSync } from 'node:fs';
import { fullPath } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import { countOccurrences, replaceText } from '../../shared/tools/files.js';
import { REFUSED } from '../refused.js';
import {
  CHANGED_SINCE_READ,
  type LiveTool,
  missingFile,
  refuse,
  type ToolContext,
  ToolFailure,
  text,
  unreadFile,
} from './live-tool.js';
import { structuredPatch } from './patch.js';
import { readTextFile, writeTextFile } from './text-file.js';
import { SEEN } from './write.js';

const STALE =
  '(note: the file had been modified on disk since you last read it — the edit applied cleanly, but the file contains ' +
  'other changes not in your context. Read it before edits that depend on surrounding content.)';

const ALL = 'All occurrences were successfully replaced.';

export const edit: LiveTool = {
  parameters: {
    file_path: { type: 'string', required: true },
    old_string: { type: 'string', required: true },
    new_string: { type: 'string', required: true },
    replace_all: { type: 'boolean' },
  },

  /** Spaces at the ends of lines mean something in Markdown only. */
  repair(input) {
    const { new_string: after, file_path: file } = input;
    if (typeof after !== 'string' || /\.mdx?$/.test(String(file))) return input;
    return { ...input, new_string: after.replace(/[ \t]+(?=\r?$)/gm, '') };
  },

  check(input: JsonObject, context: ToolContext) {
    const { cwd, seenFiles } = context;
    const before = text(input, 'old_string');
    if (before === text(input, 'new_string'))
      return 'No changes to make: old_string and new_string are exactly the same.';
    const path = fullPath(cwd, text(input, 'file_path'));
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new ToolFailure('EISDIR: illegal operation on a directory, read');
    const file = readTextFile(path);
    if (file === undefined) return before === '' ? undefined : missingFile(cwd);
    const content = file.text;
    if (before === '') return content === '' ? undefined : 'Cannot create new file - file already exists.';
    if (path.endsWith('.ipynb')) refuse(REFUSED.notebooks);
    const unread = unreadFile(path, context);
    if (unread !== undefined) return unread;
    const found = countOccurrences(content, before);
    if (found === 0 && straightened(content).includes(straightened(before))) refuse(REFUSED.otherMarks);
    if (found === 0 && seenFiles.isStale(path)) return CHANGED_SINCE_READ;
    if (found === 0) return `String to replace not found in file.\nString: ${before}`;
    if (found === 1 || input['replace_all'] === true) return undefined;
    return (
      `Found ${found} matches of the string to replace, but replace_all is false. To replace all occurrences, set ` +
      'replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the ' +
      `instance.\nString: ${before}`
    );
  },

  async run(input, { cwd, seenFiles }) {
    const filePath = text(input, 'file_path');
    const oldString = text(input, 'old_string');
    const newString = text(input, 'new_string');
    const replaceAll = input['replace_all'] === true;
    const path = fullPath(cwd, filePath);
    const file = readTextFile(path);
    const originalFile = file?.text ?? '';
    const content = oldString === '' ? newString : replaceText(originalFile, oldString, newString, replaceAll);
    const stale = seenFiles.isStale(path);
    const known = seenFiles.knows(path) || file === undefined;
    writeTextFile(path, content, file);
    seenFiles.see(path, { whole: known, watched: true });
    const useResult = {
      filePath,
      oldString,
      newString,
      originalFile,
      structuredPatch: structuredPatch(originalFile, content),
      userModified: false,
      replaceAll,
    };
    return {
      content: `The file ${filePath} has been updated${replaceAll ? `. ${ALL}` : ' successfully.'}${known ? ` ${SEEN}` : stale ? ` ${STALE}` : ''}`,
      useResult: {
        ...useResult,
        ...(stale ? { staleRecovered: true } : {}),
        ...(known ? {} : { contentNotInModelContext: true }),
      },
    };
  },
};

/** The CLI takes one form of quotation marks for the other. */
function straightened(text: string): string {
  return text.replace(/[\u2018\u2019]/g, "'").replace(/[\u201C\u201D]/g, '"');
}
