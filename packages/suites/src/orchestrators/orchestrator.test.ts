import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOrchestrator } from './orchestrator.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrator-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, says: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${says}\n`);
  chmodSync(file, 0o755);
  return file;
}

const find = (environment: NodeJS.ProcessEnv, named?: string, loop = false) =>
  findOrchestrator({ named, loop, environment, reference: ['loop'], referenceVersion: '1.0.0' });

it('takes the named one, then RALPH_BIN, then PATH, and the reference loop only when asked', async () => {
  await expect(find({ PATH: folder })).rejects.toMatchObject({ code: 'SUITE_NO_ORCHESTRATOR' });
  const onPath = program('ralph', 'echo ralph 2.2.5');
  expect(await find({ PATH: folder })).toMatchObject({ kind: 'ralph', command: [onPath], version: '2.2.5' });
  const loop = await find({ PATH: folder, RALPH_BIN: onPath }, undefined, true);
  expect(loop).toMatchObject({ kind: 'reference', command: ['loop'], version: '1.0.0' });
  const told = program('told', 'echo ralph 2.10.1');
  expect(await find({ PATH: folder, RALPH_BIN: told })).toMatchObject({ command: [told], version: '2.10.1' });
  const named = program('named', 'echo ralph 2.9.0');
  expect(await find({ PATH: folder, RALPH_BIN: told }, named)).toMatchObject({ command: [named], version: '2.9.0' });
});

it('speaks the dialect of the version', async () => {
  const old = await find({ PATH: folder }, program('old', 'echo ralph 2.2.5'));
  expect(old.dialect).toMatchObject({ agentFolder: '.agent', records: 'ralph' });
  const loop = await find({ PATH: folder }, program('loop', 'echo understudy loop 0.1.0'));
  expect(loop).toMatchObject({ kind: 'reference', version: '0.1.0', dialect: { records: 'loop' } });
});

it('does not take an empty version for the oldest one', async () => {
  await expect(find({ PATH: folder }, program('mute', 'exit 0'))).rejects.toMatchObject({ code: 'SUITE_NO_VERSION' });
});

it('refuses what does not answer', async () => {
  await expect(find({ PATH: folder }, program('broken', 'exit 1'))).rejects.toMatchObject({ code: 'SUITE_NO_RALPH' });
  await expect(find({ PATH: folder }, join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'SUITE_NO_RALPH' });
});
