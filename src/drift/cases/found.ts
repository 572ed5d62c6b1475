import { type Case, fail, LIVING, STREAM, say, tool, user } from '../case.js';

const TITLED = ['-p', 'before', '--name', 'my title'];
const look = (prompt: string, command: string) => ({
  ...tool('Task', { description: 'look', prompt, subagent_type: 'Explore', run_in_background: false }),
  subagent: [tool('Bash', { command }), say('found')],
});
const hooks = (event: string, ...commands: string[]) => ({
  'HOME/.claude/settings.json': {
    hooks: { [event]: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] },
  },
});
const untrusted = { '.claude/settings.json': { permissions: { allow: ['Write'] } } };
const permission = (decision: object): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })}'`;

/** What generated invocations have found, one case for each cause. */
export const FOUND_CASES: readonly Case[] = [
  { name: 'a warning before an error', args: ['-p', 'hi', '--include-partial-messages'], files: untrusted },
  { name: 'an error before a warning', args: ['-p', 'hi', '--agents', '{', '--betas', 'x'], files: untrusted },
  { name: 'the session before the prompt', args: ['-p', '', '--resume', 'nope', '--output-format', 'stream-json'] },
  {
    name: 'a failure in partial messages',
    args: [...STREAM, 'hi', '--include-partial-messages'],
    turns: [[fail({ type: 'malformed_json', raw: '{"type":' })]],
    env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  },
  {
    name: 'one overload is not enough for the fallback',
    args: [...STREAM, 'hi', '--fallback-model', 'haiku'],
    turns: [[fail({ type: 'overloaded' })]],
    env: { CLAUDE_CODE_MAX_RETRIES: '1' },
  },
  {
    name: 'a title outlives clear',
    args: [...STREAM, '/clear', '--resume', 'my title'],
    before: [{ args: TITLED }],
  },
  {
    name: 'tools that subagents name once',
    args: [...STREAM, 'go'],
    turns: [[look('one', 'ls'), look('two', 'ls'), tool('Read', { file_path: 'none' }), say('done')]],
  },
  {
    name: 'plan mode without the check of the API',
    args: [...STREAM, 'go', '--permission-mode', 'plan'],
    turns: [[tool('Bash', { command: 'touch new' }), look('one', 'ls'), say('done')]],
  },
  {
    name: 'auto mode without the check of the API',
    args: ['-p', 'go', '--permission-mode', 'auto'],
    turns: [[tool('Bash', { command: 'exit 3' }), tool('Write', { file_path: 'n.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'nobody at the other end of stdio',
    args: [...STREAM, 'go', '--permission-prompt-tool', 'stdio'],
    turns: [[tool('Bash', { command: 'touch new' }), say('done')]],
  },
  {
    name: 'a permission that a hook gives',
    args: [...STREAM, 'go'],
    files: hooks('PermissionRequest', permission({ behavior: 'allow' })),
    turns: [[tool('Write', { file_path: 'n.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'a permission that a hook refuses',
    args: [...STREAM, 'go'],
    files: hooks('PermissionRequest', permission({ behavior: 'deny', message: 'no' })),
    turns: [[tool('Write', { file_path: 'n.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'two hooks against a tool',
    args: [...STREAM, 'go'],
    files: hooks('PreToolUse', 'echo one >&2; exit 2', 'sleep 0.3; echo two >&2; exit 2'),
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'results after the last turn',
    args: [...LIVING, '--max-turns', '1'],
    turns: [[tool('Bash', { command: 'ls' }), say('done')], [say('next')]],
    talk: [user('hi'), { until: 'result' }, user('go on'), { until: 'result' }],
  },
  {
    name: 'events as one list',
    args: ['-p', 'go', '--output-format', 'json', '--verbose', '--name', 'x'],
    turns: [[look('one', 'ls'), tool('Bash', { command: 'touch new' }), say('done')]],
  },
  {
    name: 'compact after several exchanges',
    args: LIVING,
    turns: [[tool('Bash', { command: 'ls' }), say('one')], [say('two')], [say('three')]],
    talk: ['a', 'b', '/compact', 'c'].flatMap((text) => [user(text), { until: 'result' }]),
  },
  {
    name: 'a skill with a similar name',
    args: [...STREAM, 'go'],
    files: { '.claude/skills/other/SKILL.md': '---\nname: other\ndescription: Another\n---\nDo it' },
    turns: [[tool('Skill', { skill: 'othr' }), tool('Skill', { skill: 'cost' }), say('done')]],
  },
  {
    name: 'too long at the second prompt',
    args: LIVING,
    turns: [[fail({ type: 'context_length' })], [fail({ type: 'context_length' })]],
    talk: ['a', 'b'].flatMap((text) => [user(text), { until: 'result' }]),
    env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  },
  {
    name: 'nothing to compact but the context of a hook',
    args: [...STREAM, '/compact'],
    files: hooks(
      'SessionStart',
      `echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"context"}}'`,
    ),
  },
];
