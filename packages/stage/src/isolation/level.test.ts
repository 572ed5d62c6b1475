import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { expect, it, onTestFinished } from 'vitest';
import { isWithin, programFolders } from './folders.js';
import { parseIsolation } from './level.js';
import { readReport } from './report.js';

it('reads what was asked for', () => {
  expect(['auto', 'required', 'none', 'sandbox', 'docker', 'docker=me/image:1'].map(parseIsolation)).toEqual([
    ...[{ level: 'auto' }, { level: 'required' }, { level: 'none' }, { level: 'sandbox' }],
    ...[{ level: 'docker' }, { level: 'docker', image: 'me/image:1' }],
  ]);
  for (const wrong of ['', 'chroot', 'docker=', 'sandbox=x', 'required=x', 'auto='])
    expect(() => parseIsolation(wrong)).toThrow(/not an isolation/);
});

it('shows the folder around programs of a home, but no private one', () => {
  const folders = programFolders('/usr/bin:/etc', ['/usr']);
  expect(folders).toEqual(['/usr/bin', '/etc']);
  expect(isWithin('/home/me', '/home')).toBe(true);
  expect(isWithin('/homes', '/home')).toBe(false);
});

it('shows a virtual environment with its Python, and packages beside their programs, but never a home', async () => {
  const scratch = createScratch('programs');
  onTestFinished(() => scratch.remove());
  const at = (...path: string[]) => join(realpathSync(scratch.path), ...path);
  for (const folder of ['home/.uv/python-3/bin', 'tmp/venv/bin', 'app/node_modules/.bin', 'home/bin'])
    mkdirSync(at(folder), { recursive: true });
  for (const file of ['home/.uv/python-3/bin/python', 'tmp/venv/pyvenv.cfg', 'home/pyvenv.cfg', 'home/bin/python'])
    writeFileSync(at(file), '');
  symlinkSync(at('home/.uv/python-3/bin/python'), at('tmp/venv/bin/python'));
  const homes = [at('home')];
  expect(programFolders(at('tmp/venv/bin'), homes)).toEqual([at('tmp/venv'), at('home/.uv/python-3')]);
  expect(programFolders(at('app/node_modules/.bin'), homes)).toEqual([at('app/node_modules')]);
  expect(programFolders(at('home/bin'), homes)).toEqual([at('home/bin'), at('home/bin')]);
});

it('reads a report that ends early', () => {
  expect(readReport('watched\0/root\x0048\x001\nready\nleft\0sleep 1 (4)\n')).toEqual({
    ...{ watched: [{ path: '/root', device: 48, inode: 1 }], blind: false, ready: true, leftovers: ['sleep 1 (4)'] },
    ...{ touched: [], full: [], noRoutes: 0 },
  });
  expect(readReport('ended\x009\x000\n').ended).toEqual({ code: null, signal: 'SIGKILL' });
});
