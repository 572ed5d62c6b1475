import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FakeNpm, startFakeNpm } from '../../../../test/helpers/fake-npm.js';
import { agentNames, agents } from '../agents.js';
import pinnedPackages from '../pinned-packages.json' with { type: 'json' };
import { addAgent } from './add-agent.js';
import { askVersion } from './ask-version.js';
import { agentLocations, findAgent } from './find-agent.js';
import type { Manifest } from './manifest.js';

const PACKAGE = 'node_modules/@google/gemini-cli';
const PROGRAM = `${PACKAGE}/bundle/gemini.js`;
const PART = `${PACKAGE}/bundle/chunk.js`;

let npm: FakeNpm;

beforeEach(() => {
  npm = startFakeNpm();
  vi.stubEnv('PATH', npm.env.PATH);
});

afterEach(() => npm.remove());

const inFolder = (path: string) => join(npm.store, 'gemini', '1.2.3', path);
const find = () => findAgent('gemini@1.2.3', { store: npm.store, environment: {} });
const add = () => addAgent('gemini@1.2.3', { store: npm.store });

function manifest(): Manifest {
  return JSON.parse(readFileSync(inFolder('understudy.json'), 'utf8')) as Manifest;
}

/** Changes one letter: the size stays, and the time of the last change is put back. */
function tamper(path: string): void {
  const file = inFolder(path);
  const { atime, mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('console', 'konsole'));
  utimesSync(file, atime, mtime);
}

it('keeps what npm checked, and the digest of every file that can run', async () => {
  await add();
  expect(manifest().integrity).toEqual({ [PACKAGE]: 'sha512-x' });
  expect(Object.keys(manifest().files)).toEqual([PART, PROGRAM]);
  await expect(find()).resolves.toMatchObject({ version: '1.2.3', source: 'store' });
});

it.each([
  ['the program', PROGRAM],
  ['a part that it loads', PART],
])('refuses to start a version when %s was changed, with the same size and date', async (_, path) => {
  await add();
  tamper(path);
  await expect(find()).rejects.toMatchObject({
    code: 'AGENT_CHANGED',
    message: expect.stringContaining(inFolder(path)),
    fix: expect.stringContaining('understudy agents add gemini@1.2.3'),
  });
  const [place] = agentLocations('gemini', { store: npm.store, environment: {} });
  expect(await askVersion(place ?? { command: [] })).toMatchObject({ problem: expect.stringContaining('was changed') });
});

it('refuses a part that is gone, and a link in its place', async () => {
  await add();
  const copy = join(npm.folder, 'chunk.js');
  copyFileSync(inFolder(PART), copy);
  rmSync(inFolder(PART));
  await expect(find()).rejects.toMatchObject({ code: 'AGENT_CHANGED' });
  symlinkSync(copy, inFolder(PART));
  await expect(find()).rejects.toMatchObject({ code: 'AGENT_CHANGED' });
});

it.each([
  ['is gone', undefined],
  ['does not list the program', (known: Manifest) => ({ ...known, files: { [PART]: known.files[PART] } })],
  ['has no list', ({ files: _, ...known }: Manifest) => known],
])('refuses a version whose record %s', async (_, change) => {
  await add();
  writeFileSync(inFolder('understudy.json'), change === undefined ? '{}' : JSON.stringify(change(manifest())));
  await expect(find()).rejects.toMatchObject({ code: 'AGENT_CHANGED' });
});

it('reads a file again only when its size or time differs, and remembers the new time', async () => {
  await add();
  cpSync(inFolder(''), join(npm.store, 'gemini', 'copy'), { recursive: true });
  rmSync(inFolder(''), { recursive: true });
  cpSync(join(npm.store, 'gemini', 'copy'), inFolder(''), { recursive: true });
  const before = manifest().files[PART]?.changed;
  await find();
  expect(manifest().files[PART]?.changed).not.toBe(before);
  expect(manifest().files[PART]?.changed).toBe(statSync(inFolder(PART)).ctimeMs);
});

it('fetches a changed version again', async () => {
  await add();
  tamper(PROGRAM);
  await add();
  expect(npm.runs()).toBe(2);
  await expect(find()).resolves.toMatchObject({ version: '1.2.3' });
  expect(readdirSync(join(npm.store, '.staging'))).toEqual([]);
});

it('refuses a pinned version that npm got from elsewhere, and puts nothing into the store', async () => {
  await expect(addAgent('gemini', { store: npm.store })).rejects.toMatchObject({
    code: 'AGENT_NOT_AS_PINNED',
    message: expect.stringMatching(/@google\/gemini-cli has sha512-x, expected sha512-\S{80}/),
    fix: expect.stringContaining('npm config get registry'),
  });
  expect(readdirSync(npm.store).sort()).toEqual(['.locks', '.staging']);
});

/** Not in every registry when they were pinned. Such a package is recorded when it is fetched, as those of other versions are. */
const UNPINNED = /^opencode-darwin-/;

it('pins the versions that are fetched by default, for Linux and macOS', () => {
  const pinned: Record<string, { version: string; packages: Record<string, object> }> = pinnedPackages;
  for (const agent of agentNames) {
    const { npm: distribution } = agents[agent];
    expect(pinned[agent]?.version, `${agent}: run node scripts/pin-agents.mjs`).toBe(distribution?.pinned);
    if (distribution === undefined) continue;
    for (const platform of ['linux', 'darwin'] as const) {
      for (const arch of ['x64', 'arm64']) {
        const [file = ''] = distribution.executables({ platform, arch, musl: false, avx2: true });
        const name = file
          .split('/')
          .slice(0, file.startsWith('@') ? 2 : 1)
          .join('/');
        if (!UNPINNED.test(name)) expect(Object.keys(pinned[agent]?.packages ?? {})).toContain(name);
      }
    }
  }
});
