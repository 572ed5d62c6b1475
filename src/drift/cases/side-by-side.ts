import { type Case, PAYLOADS, STREAM, type Step, say } from '../case.js';
import { JUDGE, JUDGE_SOURCE } from './parts.js';

/** Waits a while for the hook of another call, and tells whether it came. */
const MEETING = [
  'echo x >> "$HOME/../met"; i=0',
  'while [ "$(wc -l < "$HOME/../met")" -lt 2 ] && [ $i -lt 40 ]; do sleep 0.05; i=$((i+1)); done',
  `[ $i -lt 40 ] && how=together || how=alone`,
  `printf '{"hook_event_name":"meeting","sent":["%s"]}\\n' $how >> "$HOME/../${PAYLOADS}"`,
].join('; ');
const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];
const hooks = {
  PreToolUse: hook(MEETING),
  // The second call ends later, so that the order of the results is known.
  PostToolUse: hook('grep -q b.txt && sleep 0.5; true'),
};
const files = {
  '.claude/settings.json': { hooks },
  ...{ 'a.txt': 'one\n', 'b.txt': 'two\n', 'sub/file.txt': '' },
};
const READ = { tool: 'Read', input: { file_path: 'b.txt' } };

type Call = NonNullable<Step['tools']>[number];
const beside = (name: string, call: Call, args: readonly string[] = []): Case => ({
  name: `side by side: ${name}`,
  args: [...STREAM, 'go', '--permission-mode', 'bypassPermissions', ...args],
  env: { IS_SANDBOX: '1' },
  files,
  turns: [[{ say: 'both', tools: [call, READ] }, say('done')]],
});

const ofServer = (name: string, annotations: object): Case => {
  const call = { tool: 'mcp__srv__judge', input: { text: 'x' } };
  const server = JUDGE_SOURCE.replace("name: 'judge',", `$& annotations: ${JSON.stringify(annotations)},`);
  return { ...beside(name, call, ['--mcp-config', JUDGE]), files: { ...files, 'server.mjs': server } };
};

const LINES = ['cat a.txt | wc -l', 'cat none.txt', 'cd sub', 'echo $(cat a.txt)', 'touch c.txt', 'cat a.txt > c.txt'];

/** Two calls in one message: whether the hooks of the second one run before the first one has ended. */
export const SIDE_BY_SIDE_CASES: readonly Case[] = [
  beside('Read', { tool: 'Read', input: { file_path: 'a.txt' } }),
  beside('Read of no file', { tool: 'Read', input: { file_path: 'none.txt' } }),
  beside('Write', { tool: 'Write', input: { file_path: 'c.txt', content: 'x' } }),
  beside('Grep', { tool: 'Grep', input: { pattern: 'one', path: 'a.txt' } }, ['--tools', 'Grep,Read']),
  beside('Glob', { tool: 'Glob', input: { pattern: 'a.*' } }, ['--tools', 'Glob,Read']),
  ofServer('a tool of a server', {}),
  ofServer('a tool of a server that only reads', { readOnlyHint: true }),
  beside('no such tool', { tool: 'None', input: {} }),
  ...LINES.map((command) => beside(command, { tool: 'Bash', input: { command } })),
];
