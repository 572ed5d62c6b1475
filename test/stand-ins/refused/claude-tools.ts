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

/** A program that calls the CLI, and goes on whatever it says. */
const program = (line: string, ...calls: Call[]) => ({
  agents: ['claude'],
  responses: [{ pattern: { type: 'any' }, response: { text: 'Hello.', tool_calls: calls } }],
  steps: [{ run: `sh -c ${JSON.stringify(`${line} || true`)}`, expect: {} }],
  allow_unused: true,
});

const SESSION = '11111111-1111-4111-8111-111111111111';

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
  ...["echo $'a'", 'setsid ls', 'IFS=, ls', 'jq -f a.txt a.txt', 'tree -d'].map((command) => ({
    capability: `the approval of ${command}`,
    rehearsal: calling({ tool: 'Bash', input: { command } }, {}, { steps: [{ send: 'go' }] }),
  })),
  {
    capability: 'another result of Read',
    rehearsal: calling(read('a.txt'), {
      '.claude/settings.json': JSON.stringify({
        hooks: {
          PostToolUse: [
            {
              hooks: [
                {
                  type: 'command',
                  command: `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"x"}}'`,
                },
              ],
            },
          ],
        },
      }),
    }),
  },
  {
    capability: 'a question without a choice',
    rehearsal: calling({
      tool: 'AskUserQuestion',
      input: {
        questions: [{ question: 'Go?', header: 'Go', multiSelect: false, options: [{ label: 'a', description: 'b' }] }],
      },
    }),
  },
  ...[
    { pattern: 'one', type: 'rust' },
    { pattern: 'one', '-o': true, output_mode: 'content' },
    { pattern: 'one', offset: 1 },
    { pattern: 'one', multiline: true },
    { pattern: 'o(?=n)' },
    { pattern: 'interface{}' },
    { pattern: 'one', glob: '*.{txt' },
  ].map((input) => ({
    capability: `Grep with ${JSON.stringify(input)}`,
    rehearsal: calling({ tool: 'Grep', input }),
  })),
  {
    capability: 'a command in the background',
    rehearsal: calling({ tool: 'Bash', input: { command: 'echo a', run_in_background: true } }),
  },
  {
    capability: 'a command that goes on after its time',
    rehearsal: calling({ tool: 'Bash', input: { command: 'echo a; sleep 2', timeout: 500 } }),
  },
  { capability: 'TaskStop', rehearsal: calling({ tool: 'TaskStop', input: { task_id: 'b12345678' } }) },
  { capability: '--rewind-files', rehearsal: program(`claude -p --resume ${SESSION} --rewind-files ${SESSION}`) },
  {
    capability: 'earlier states of files',
    rehearsal: program('CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1 claude -p go'),
  },
  {
    capability: 'lists of tasks',
    rehearsal: program('claude -p go --allowedTools TaskCreate', {
      tool: 'TaskCreate',
      input: { subject: 'a', description: 'b' },
    }),
  },
  {
    capability: 'TodoWrite',
    rehearsal: program('CLAUDE_CODE_ENABLE_TASKS=0 claude -p go --allowedTools TodoWrite', {
      tool: 'TodoWrite',
      input: { todos: [{ content: 'a', status: 'pending', activeForm: 'A' }] },
    }),
  },
  {
    capability: 'a subagent in a worktree',
    rehearsal: {
      ...calling({ tool: 'Read', input: {} }, {}, { project: { git: true, files: { 'a.txt': 'one' } } }),
      responses: [
        { pattern: { type: 'exact', text: 'look' }, response: 'Nothing.' },
        {
          pattern: { type: 'exact', text: 'go' },
          response: {
            text: 'Done.',
            tool_calls: [
              {
                tool: 'Agent',
                input: { description: 'a', prompt: 'look', subagent_type: 'Explore', isolation: 'worktree' },
              },
            ],
          },
        },
      ],
      allow_unused: true,
    },
  },
  {
    capability: 'instructions of a folder that the agent comes to',
    rehearsal: calling(read('sub/b.txt'), { 'sub/b.txt': 'two\n', 'sub/CLAUDE.md': 'Mind the gap.\n' }),
  },
  {
    capability: 'rules for some files',
    rehearsal: calling(read('a.txt'), { '.claude/rules/text.md': '---\npaths: "*.txt"\n---\nMind the gap.\n' }),
  },
  {
    capability: 'a skill with context: fork that the model calls',
    rehearsal: calling(
      { tool: 'Skill', input: { skill: 'far' } },
      { '.claude/skills/far/SKILL.md': '---\nname: far\ndescription: Far\ncontext: fork\n---\nGo far.\n' },
    ),
  },
  {
    capability: 'a command that begins with waiting',
    rehearsal: calling({ tool: 'Bash', input: { command: 'sleep 30; ls' } }),
  },
  {
    capability: 'several tools of the message that ends the budget',
    rehearsal: program(
      'claude -p go --max-budget-usd 0.000001',
      { tool: 'Bash', input: { command: 'ls' } },
      { tool: 'Bash', input: { command: 'pwd' } },
    ),
  },
  { capability: 'EnterPlanMode', rehearsal: calling({ tool: 'EnterPlanMode', input: {} }) },
  {
    capability: 'why a command is no skill',
    rehearsal: calling({ tool: 'Skill', input: { skill: 'context' } }),
  },
  { capability: 'EnterWorktree', rehearsal: calling({ tool: 'EnterWorktree', input: { name: 'a' } }) },
  { capability: '--worktree', rehearsal: program('claude -p go --worktree') },
];
