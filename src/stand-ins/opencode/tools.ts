import type { CliTool } from '../shared/translate-call.js';

/** OpenCode's tools, with its names of the generic ones. */
export const opencodeTools: readonly CliTool[] = [
  { name: 'bash', generic: 'shell' },
  { name: 'read', generic: 'read', words: { path: 'filePath' } },
  { name: 'write', generic: 'write', words: { path: 'filePath' } },
  { name: 'edit', generic: 'edit', words: { path: 'filePath', old: 'oldString', new: 'newString', all: 'replaceAll' } },
  { name: 'glob', generic: 'glob' },
  { name: 'grep', generic: 'grep' },
  { name: 'task' },
  { name: 'todowrite' },
  { name: 'webfetch' },
  { name: 'skill' },
];
