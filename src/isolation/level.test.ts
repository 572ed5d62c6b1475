import { expect, it } from 'vitest';
import { isWithin, programFolders } from './folders.js';
import { parseIsolation } from './level.js';
import { readReport } from './report.js';
import { systemCallFilter } from './system-call-filter.js';

it('reads what was asked for', () => {
  expect(['auto', 'none', 'sandbox', 'docker', 'docker=me/image:1'].map(parseIsolation)).toEqual([
    ...[{ level: 'auto' }, { level: 'none' }, { level: 'sandbox' }],
    ...[{ level: 'docker' }, { level: 'docker', image: 'me/image:1' }],
  ]);
  for (const wrong of ['', 'chroot', 'docker=', 'sandbox=x'])
    expect(() => parseIsolation(wrong)).toThrow(/not an isolation/);
});

it('shows the folder around programs of a home, but no private one', () => {
  const folders = programFolders('/usr/bin:/etc', ['/usr']);
  expect(folders).toEqual(['/usr/bin', '/etc']);
  expect(isWithin('/home/me', '/home')).toBe(true);
  expect(isWithin('/homes', '/home')).toBe(false);
});

it('reads a report that ends early', () => {
  expect(readReport('ready\0/root\nleft\0sleep 1 (4)\n')).toEqual({
    ...{ watched: ['/root'], leftovers: ['sleep 1 (4)'], touched: [], full: [], noRoutes: 0 },
  });
  expect(readReport('ended\x009\x000\n').ended).toEqual({ code: null, signal: 'SIGKILL' });
});

it('filters system calls on the machines that it knows', () => {
  expect(systemCallFilter('x64')?.length).toBe(12 * 8);
  expect(systemCallFilter('riscv64')).toBeUndefined();
});
