import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { expandCommand } from '../../packages/stage/src/plugins/expand-command.js';
import { markdown, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';

const root = mkdtempSync(join(tmpdir(), 'understudy-commands-'));
afterAll(() => rmSync(root, { recursive: true }));

const plugin = writePlugin(root, 'speech', {
  'commands/greet.md': markdown({ description: 'Greets' }, 'Greet $ARGUMENTS. First: $0. Second: $1.'),
  'commands/where.md': 'You are at ${CLAUDE_PLUGIN_ROOT}.',
  'commands/now.md': markdown(
    { description: 'Runs', 'allowed-tools': 'Bash(echo:*)' },
    'It says !`echo from-the-shell`.',
  ),
});

it('shows what the model was sent in the place of a command', async (context) => {
  const agent = await realAgent('claude', context);
  expect(await expandCommand({ agent, plugins: [plugin], command: '/speech:greet Ada "b b"' })).toEqual({
    typed: '/speech:greet',
    name: 'speech:greet',
    args: 'Ada "b b"',
    text: 'Greet Ada "b b". First: Ada. Second: b b.',
  });
});

it('takes the short name where it is unique, fills in the folder, and runs what the command runs', async (context) => {
  const agent = await realAgent('claude', context);
  const where = await expandCommand({ agent, plugins: [plugin], command: '/where' });
  expect(where).toMatchObject({ typed: '/where', name: 'speech:where', text: `You are at ${plugin}.` });
  const now = await expandCommand({ agent, plugins: [plugin], command: '/speech:now' });
  expect(now.text).toBe('It says from-the-shell.');
});

it('fails for a command that nobody knows, with a near one', async (context) => {
  const agent = await realAgent('claude', context);
  await expect(expandCommand({ agent, plugins: [plugin], command: '/speech:gret Ada' })).rejects.toMatchObject({
    code: 'COMMAND_UNKNOWN',
    fix: expect.stringContaining('/speech:greet'),
  });
  await expect(expandCommand({ agent, plugins: [plugin], command: 'greet Ada' })).rejects.toMatchObject({
    code: 'COMMAND_INVALID',
  });
});
