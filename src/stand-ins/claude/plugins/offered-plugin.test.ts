import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findOffered } from './offered-plugin.js';

const folder = mkdtempSync(join(tmpdir(), 'offered-plugin-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a settings file may declare: a marketplace on this machine, under the name that it gives itself. */
function declared(name: string) {
  mkdirSync(join(folder, '.claude-plugin'), { recursive: true });
  mkdirSync(join(folder, 'demo'), { recursive: true });
  const plugins = [{ name: 'demo', source: './demo' }];
  writeFileSync(
    join(folder, '.claude-plugin/marketplace.json'),
    JSON.stringify({ name, owner: { name: 'Somebody' }, plugins }),
  );
  const source = { source: 'directory', path: folder };
  return new Map([[name, { source, installLocation: folder, lastUpdated: '2026-01-01T00:00:00.000Z' }]]);
}

it('finds a plugin in a marketplace of this machine', () => {
  expect(findOffered('demo@shop.2', declared('shop.2'))).toMatchObject({ name: 'demo', folder: join(folder, 'demo') });
});

it.each(['../../../elsewhere', '..', 'a/b', 'a\\b'])('installs nothing of a marketplace named %s', (name) => {
  // Its copy would lie in a folder of that name, which is removed before.
  expect(() => findOffered(`demo@${name}`, declared(name))).toThrow('its name is wrong');
});
