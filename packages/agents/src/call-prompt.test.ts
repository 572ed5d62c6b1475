import { expect, it } from 'vitest';
import type { AgentName } from './agents.js';
import { promptOfCall } from './call-prompt.js';

// As Claude Code and OpenCode sent them to their model.
it.each<[AgentName, string[], string, string]>([
  ['claude', ['-p', 'the prompt', '--output-format', 'text'], '', 'the prompt'],
  ['claude', ['--output-format', 'text', '-p', 'first', 'second'], '', 'first'],
  ['claude', ['-p', '--model=opus', '--', '--dash'], '', '--dash'],
  ['claude', ['-p', 'an argument'], 'from stdin\n', 'an argument\nfrom stdin'],
  ['claude', ['-p', '--verbose'], 'from stdin\n', 'from stdin'],
  ['claude', ['-p', '--allowedTools', 'Bash', 'Edit'], '', ''],
  ['opencode', ['run', 'hello', '--format', 'json', 'world'], '', 'hello world'],
  ['opencode', ['run', '--title', 't', 'a', '--', '--dash', 'b'], '', 'a --dash b'],
  ['opencode', ['run', 'arg'], 'from stdin', 'arg\nfrom stdin'],
  ['opencode', ['--version'], '', ''],
  ['kiro', ['chat', '--no-interactive', 'Say', 'hello', '--wrap', 'never'], '', 'Say hello'],
  ['kiro', ['chat', '--no-interactive', '--agent', 'x'], 'from stdin', 'from stdin'],
  ['kiro', ['chat', '--no-interactive', 'words'], 'from stdin', 'words'],
  ['codex', ['exec', '--json', 'do it'], '', 'do it'],
  ['codex', ['exec', '-'], 'from stdin', 'from stdin'],
  ['codex', ['exec', 'do it'], 'more\n', 'do it\n\n<stdin>\nmore\n</stdin>'],
  ['codex', ['exec', 'review', '--base', 'main'], '', "changes against 'main'"],
  ['codex', ['review', '-'], 'look at it', 'look at it'],
  ['gemini', ['-p', 'do it', '-o', 'json'], '', 'do it'],
  ['gemini', ['--prompt=do it'], 'first', 'first\n\ndo it'],
  // A flag that no stand-in has.
  ['claude', ['-p', '--worktree', 'the prompt', '--verbose'], '', 'the prompt'],
])('%s %j', (backend, words, stdin, prompt) => {
  expect(promptOfCall(backend, words, stdin)).toBe(prompt);
});

it('reads the messages of a stream', () => {
  const user = (content: unknown) => JSON.stringify({ type: 'user', message: { role: 'user', content } });
  const stdin = [user('one'), '{"type":"control_request"}', user([{ type: 'text', text: 'two' }])].join('\n');
  expect(promptOfCall('claude', ['-p', '--input-format', 'stream-json'], stdin)).toBe('one\ntwo');
});
