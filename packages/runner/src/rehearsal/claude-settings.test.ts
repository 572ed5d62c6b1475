import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { expect, it } from 'vitest';
import { settingArguments } from './claude-settings.js';
import { toRows } from './load.js';

const SEND = { steps: [{ send: 'hello' }], default_response: 'Hello.' };

function load(more: object) {
  const scratch = createScratch('settings');
  const [rehearsal] = toRows({ value: { ...SEND, ...more } }, join(scratch.path, 'a.rehearsal.json'));
  if (rehearsal === undefined) throw new Error('nothing was loaded');
  return rehearsal;
}

it('starts Claude Code in a mode and with settings', () => {
  const deny = { permissions: { deny: ['Read'] } };
  const rehearsal = load({ permission_mode: 'plan', settings: deny, managed_settings: { a: 1 } });
  expect(settingArguments(rehearsal, 'claude@2.1.328')).toEqual([
    ...['--permission-mode', 'plan', '--settings', JSON.stringify(deny), '--managed-settings', '{"a":1}'],
  ]);
  expect(settingArguments(load({}), 'claude')).toEqual([]);
});

it('refuses settings that would do nothing', () => {
  expect(() => settingArguments(load({ settings: {} }), 'codex')).toThrow(
    expect.objectContaining({ code: 'AGENT_IGNORES_OPTION', message: 'codex would ignore `settings`' }),
  );
  const problems = (more: object) => {
    try {
      load(more);
    } catch (error) {
      return (error as { problems: { code: string; path: string }[] }).problems.map(({ code, path }) => [code, path]);
    }
    return [];
  };
  expect(problems({ settings: 'gone.json' })).toEqual([['FILE_NOT_FOUND', 'settings']]);
  expect(problems({ managed_settings: {}, steps: [{ run: 'true' }] })).toContainEqual([
    'NO_EFFECT',
    'managed_settings',
  ]);
});
