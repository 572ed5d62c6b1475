import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest';
import { distributions } from '../../packages/agents/src/pinned.js';
import { digestFile } from '../../packages/agents/src/store/content.js';
import { findAgent } from '../../packages/agents/src/store/find-agent.js';
import type { Manifest } from '../../packages/agents/src/store/manifest.js';
import { storeFolder } from '../../packages/agents/src/store/store-folder.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const PACKAGE = 'node_modules/@google/gemini-cli';
const PROGRAM = `${PACKAGE}/bundle/gemini.js`;
const VERSION = distributions.gemini.npm?.pinned ?? '';

let scratch: Scratch;

beforeEach(() => {
  scratch = createScratch('agents-store');
});

afterEach(() => scratch.remove());

const inCopy = (path: string) => join(scratch.path, 'gemini', VERSION, path);
const find = () => findAgent('gemini', { store: scratch.path, environment: {} });

/** The pinned Gemini CLI, in a store that a test may spoil. */
async function copyStore(context: TestContext): Promise<void> {
  await realAgent('gemini', context);
  cpSync(join(storeFolder(), 'gemini', VERSION), inCopy(''), { recursive: true, verbatimSymlinks: true });
}

function change(edit: (manifest: Manifest) => void): void {
  const manifest = JSON.parse(readFileSync(inCopy('understudy.json'), 'utf8')) as Manifest;
  edit(manifest);
  writeFileSync(inCopy('understudy.json'), JSON.stringify(manifest));
}

it('starts a copy of the pinned CLI, and refuses it by name once its program was changed', async (context) => {
  await copyStore(context);
  const options = { env: { UNDERSTUDY_STORE: scratch.path, PATH: '/usr/bin:/bin' } };
  const list = async () => JSON.parse((await runUnderstudy(['agents', 'list', '--json'], options)).stdout) as object;
  await expect(list()).resolves.toMatchObject({ agents: [{ agent: 'gemini', answers: true }] });
  writeFileSync(inCopy(PROGRAM), '\n', { flag: 'a' });
  await expect(list()).resolves.toMatchObject({
    agents: [
      {
        agent: 'gemini',
        answers: false,
        problem: expect.stringContaining(`gemini@${VERSION} in the store was changed`),
      },
    ],
  });
});

it('refuses a changed program although the record of the store was changed with it', async (context) => {
  await copyStore(context);
  writeFileSync(inCopy(PROGRAM), '\n', { flag: 'a' });
  const digest = await digestFile(inCopy(PROGRAM));
  change(({ files }) => {
    files[PROGRAM] = { ...digest, changed: statSync(inCopy(PROGRAM)).ctimeMs };
  });
  await expect(find()).rejects.toMatchObject({ code: 'AGENT_NOT_AS_PINNED' });
});

it('refuses a version whose record names another tarball', async (context) => {
  await copyStore(context);
  change((manifest) => {
    manifest.integrity[PACKAGE] = 'sha512-fetched-from-elsewhere';
  });
  await expect(find()).rejects.toMatchObject({
    code: 'AGENT_NOT_AS_PINNED',
    message: expect.stringContaining('sha512-fetched-from-elsewhere'),
  });
});

it('refuses a version whose record leaves out files of a pinned package', async (context) => {
  await copyStore(context);
  change((manifest) => {
    const kept = Object.entries(manifest.files).filter(([path]) => path === PROGRAM || !path.startsWith(PACKAGE));
    manifest.files = Object.fromEntries(kept);
  });
  await expect(find()).rejects.toMatchObject({ code: 'AGENT_NOT_AS_PINNED' });
});
