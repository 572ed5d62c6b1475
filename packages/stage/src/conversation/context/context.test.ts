import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import { contextOf } from './context.js';

function log(...bodies: EventBody[]): ConversationEvent[] {
  let turn = 0;
  return bodies.map((body, seq) => {
    if (body.type === 'prompt') turn++;
    return { seq, at: new Date(seq * 1000).toISOString(), turn, ...body };
  });
}

const prompt = (text: string): EventBody => ({ type: 'prompt', id: text, text });
const text = (said: string): EventBody => ({ type: 'text', text: said });
const call = (id: string, tool: string, input: Record<string, unknown>): EventBody => ({
  type: 'tool_call',
  id,
  tool,
  input,
});
const result = (id: string, tool: string, said = '', status: 'ok' | 'error' = 'ok'): EventBody => ({
  type: 'tool_result',
  id,
  tool,
  text: said,
  status,
});
const ended: EventBody = { type: 'turn_ended', outcome: 'completed', milliseconds: 1 };
const at = { cwd: '/project' };

it('follows files: mentioned, read, changed, and spoken of without having been seen', () => {
  const events = log(
    prompt('Look at src/app.ts please, e.g. version 1.5.'),
    call('1', 'Read', { file_path: '/project/src/app.ts' }),
    result('1', 'Read', 'import "./db.ts"'),
    call('2', 'Read', { file_path: '/project/gone.ts' }),
    result('2', 'Read', 'no such file', 'error'),
    text('src/app.ts uses db.ts, and config/secret.yaml configures it.'),
    { type: 'file_changed', path: 'src/app.ts', change: 'modified', before: 'a', after: 'b' },
    ended,
  );
  const { files, neverSeen } = contextOf(events, at);
  expect(files.find(({ path }) => path === 'src/app.ts')).toEqual({
    path: 'src/app.ts',
    mentionedByUser: [1],
    mentionedByAgent: [1],
    read: [1],
    changes: [{ turn: 1, change: 'modified', before: 'a', after: 'b' }],
    seen: true,
  });
  expect(files.map(({ path }) => path)).not.toContain('gone.ts');
  expect(neverSeen).toEqual(['config/secret.yaml']);
});

it('keeps the order of tools and finds repeats whatever the order of their keys', () => {
  const events = log(
    prompt('x'),
    call('1', 'Bash', { command: 'ls', timeout: 1 }),
    result('1', 'Bash', 'a'),
    call('2', 'Read', { file_path: 'a' }),
    call('3', 'Bash', { timeout: 1, command: 'ls' }),
    result('3', 'Bash', 'a'),
  );
  const { tools, toolSequence, repeats } = contextOf(events, at);
  expect(toolSequence).toEqual(['Bash', 'Read', 'Bash']);
  expect(tools[1]).toMatchObject({ order: 2, tool: 'Read' });
  expect(tools[1]).not.toHaveProperty('status');
  expect(repeats).toMatchObject([{ tool: 'Bash', count: 2, turns: [1] }]);
});

it('tells commands with expansion and effects, failures, and chains', () => {
  const command = (name: string, status: 'expanded' | 'unknown' = 'expanded'): EventBody => ({
    type: 'command',
    typed: `/${name}`,
    name,
    args: '',
    status,
  });
  const events = log(
    prompt('/a'),
    command('a'),
    { type: 'expansion', name: 'a', text: 'Do a.' },
    call('1', 'Write', {}),
    { type: 'file_changed', path: 'x', change: 'created' },
    { type: 'commit', hash: 'h', message: 'm', files: ['x'] },
    ended,
    prompt('/b'),
    command('b', 'unknown'),
    ended,
    prompt('talk'),
    ended,
    prompt('/c'),
    command('c'),
    { type: 'turn_ended', outcome: 'failed', milliseconds: 1 },
  );
  const { commands, chains } = contextOf(events, at);
  expect(commands).toMatchObject([
    {
      name: 'a',
      expansion: 'Do a.',
      failed: false,
      effects: { tools: ['Write'], filesChanged: ['x'], commits: ['h'] },
    },
    { name: 'b', status: 'unknown', failed: true },
    { name: 'c', failed: true, outcome: 'failed' },
  ]);
  expect(chains).toEqual([['a', 'b']]);
});
