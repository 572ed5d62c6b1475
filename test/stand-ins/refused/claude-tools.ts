import type { Row } from './row.js';

interface Call {
  tool: string;
  input: Record<string, unknown>;
}

/** A session whose model calls one tool. */
const calling = (call: Call, files: Record<string, string> = {}, more: object = {}) => ({
  agent: 'claude',
  project: { files: { 'a.txt': 'one\n', ...files } },
  responses: [{ pattern: { type: 'any' }, response: { text: 'Done.', tool_calls: [call] } }],
  steps: [{ send: 'go', permissions: { '*': 'allow' } }],
  ...more,
});

const read = (file_path: string, more: object = {}): Call => ({ tool: 'Read', input: { file_path, ...more } });

const NOTEBOOK = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });

/** What the tools of Claude Code do beyond their plain form. */
export const ROWS: Row[] = [
  { capability: 'Read of a notebook', rehearsal: calling(read('a.ipynb'), { 'a.ipynb': NOTEBOOK }) },
  {
    capability: 'NotebookEdit',
    rehearsal: calling(
      { tool: 'NotebookEdit', input: { notebook_path: 'a.ipynb', new_source: 'x', edit_mode: 'insert' } },
      { 'a.ipynb': NOTEBOOK },
    ),
  },
  {
    capability: 'Write of a notebook that is there',
    rehearsal: calling({ tool: 'Write', input: { file_path: 'a.ipynb', content: '{}' } }, { 'a.ipynb': NOTEBOOK }),
  },
  { capability: 'Read of an image', rehearsal: calling(read('a.png'), { 'a.png': 'x' }) },
  { capability: 'Read of a paper', rehearsal: calling(read('a.pdf'), { 'a.pdf': '%PDF-1.4' }) },
  { capability: 'Read of pages', rehearsal: calling(read('a.txt', { pages: '1' })) },
  { capability: 'Read of a binary file', rehearsal: calling(read('a.exe'), { 'a.exe': 'MZ' }) },
  { capability: 'Read of a large file', rehearsal: calling(read('long.txt'), { 'long.txt': 'word\n'.repeat(60_000) }) },
  {
    capability: 'Edit with other quotation marks',
    rehearsal: calling(
      { tool: 'Edit', input: { file_path: 'marks.txt', old_string: '"a"', new_string: '"b"' } },
      { 'marks.txt': '\u201ca\u201d\n' },
    ),
  },
];
