import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writePlugin } from '../../../../test/helpers/plugin-fixtures.js';
import type { Marketplace } from './marketplace.js';
import { remoteReason } from './remote-source.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('remote');
});
afterEach(() => scratch.remove());

const GITHUB = { source: 'github', repo: 'someone/thing' };

function reasons(plugins: Marketplace['plugins']): (string | undefined)[] {
  const marketplace = { name: 'shelf', plugins };
  return plugins.map((entry) => remoteReason(scratch.path, marketplace, entry));
}

it.each([
  GITHUB,
  { source: 'url', url: 'https://example.com/x.git' },
  { source: 'url', url: 'git@example.com:x.git' },
  { source: 'git-subdir', url: 'https://example.com/x.git', path: 'p' },
  { source: 'npm', package: 'x' },
  { source: 'of a later version' },
])('says that %j is outside this machine', (source) => {
  expect(reasons([{ name: 'a', source }])).toEqual([`its source is outside this machine: ${JSON.stringify(source)}`]);
});

it.each(['./plugins/a', './', { source: 'url', url: 'file:///srv/x.git' }, { source: 'url', url: '/srv/x.git' }])(
  'has nothing to say of %j',
  (source) => {
    expect(reasons([{ name: 'a', source }])).toEqual([undefined]);
  },
);

it('follows dependencies, also in a circle', () => {
  for (const [name, dependencies] of [
    ['a', ['b@shelf']],
    [
      'b',
      [
        { name: 'a', marketplace: 'shelf' },
        { name: 'far', version: '1' },
      ],
    ],
    ['c', ['d', 'unknown', 'far@elsewhere']],
    ['d', ['c']],
  ] as const)
    writePlugin(scratch.path, name, { '.claude-plugin/plugin.json': { name, dependencies } });
  const local = ['a', 'b', 'c', 'd'].map((name) => ({ name, source: `./${name}` }));
  const listed = { name: 'e', source: './e', dependencies: ['far'] };
  const outside = `its source is outside this machine: ${JSON.stringify(GITHUB)}`;
  expect(reasons([...local, listed, { name: 'far', source: GITHUB }])).toEqual([
    `it depends on b, and it depends on far, and ${outside}`,
    `it depends on far, and ${outside}`,
    undefined,
    undefined,
    `it depends on far, and ${outside}`,
    outside,
  ]);
});
