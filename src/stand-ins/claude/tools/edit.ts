import { resolve } from 'node:path';
import type { JsonObject } from '../../../document/json.js';
import { readIfThere } from '../../../document/json.js';
import { countOccurrences, replaceText, writeText } from '../../shared/tools/files.js';
import { type LiveTool, missingFile, type ToolContext, text } from './live-tool.js';
import { countChanges, structuredPatch } from './patch.js';
import { SEEN } from './write.js';

export const edit: LiveTool = {
  parameters: {
    file_path: { type: 'string', required: true },
    old_string: { type: 'string', required: true },
    new_string: { type: 'string', required: true },
    replace_all: { type: 'boolean' },
  },

  check(input: JsonObject, { cwd }: ToolContext) {
    const before = text(input, 'old_string');
    if (before === text(input, 'new_string'))
      return 'No changes to make: old_string and new_string are exactly the same.';
    const content = readIfThere(resolve(cwd, text(input, 'file_path')));
    if (content === undefined) return before === '' ? undefined : missingFile(cwd);
    if (before === '') return content === '' ? undefined : 'Cannot create new file - file already exists.';
    const found = countOccurrences(content, before);
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
    const path = resolve(cwd, filePath);
    const originalFile = readIfThere(path) ?? '';
    const content = oldString === '' ? newString : replaceText(originalFile, oldString, newString, replaceAll);
    writeText(path, content);
    const patch = structuredPatch(originalFile, content);
    const known = seenFiles.has(path) || oldString === '';
    const useResult = {
      filePath,
      oldString,
      newString,
      originalFile,
      structuredPatch: patch,
      userModified: false,
      replaceAll,
    };
    return {
      content: `The file ${filePath} has been updated successfully.${known ? ` ${SEEN}` : ''}`,
      useResult: known ? useResult : { ...useResult, contentNotInModelContext: true },
      ...countChanges(patch),
    };
  },
};
