import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, formatHolder, ownHolder, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agents } from '../agents.js';
import { pruneAgents, removeAgent } from './remove-agent.js';

let scratch: Scratch;

beforeEach(() => {
  scratch = createScratch('remove-agent');
});

afterEach(() => scratch.remove());

const PROGRAM = 'setInterval(() => {}, 1000); console.log("started");\n';

function put(agent: string, version: string): string {
  const folder = join(scratch.path, agent, version);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', 'cli.js'), PROGRAM);
  return folder;
}

const versions = (agent: string) => readdirSync(join(scratch.path, agent)).sort();

it('removes one version, and tells its size', async () => {
  const folder = put('claude', '1.0.0');
  put('claude', '1.0.1');
  await expect(removeAgent('claude@1.0.0', scratch.path)).resolves.toEqual({
    ...{ agent: 'claude', version: '1.0.0' },
    bytes: PROGRAM.length,
  });
  expect(existsSync(folder)).toBe(false);
  expect(versions('claude')).toEqual(['1.0.1']);
  expect(readdirSync(join(scratch.path, '.staging'))).toEqual([]);
});

it('names what there is when the version is missing, or not in the store', async () => {
  put('claude', '1.0.1');
  await expect(removeAgent('claude', scratch.path)).rejects.toMatchObject({
    code: 'AGENT_BAD_VERSION',
    fix: expect.stringContaining('claude@1.0.1'),
  });
  await expect(removeAgent('claude@9.9.9', scratch.path)).rejects.toMatchObject({
    code: 'AGENT_NOT_FOUND',
    fix: expect.stringContaining('claude@1.0.1'),
  });
});

it('prunes all but the pinned version and the newest others that are to be kept', async () => {
  const pinned = agents.claude.npm?.pinned ?? '';
  for (const version of ['1.0.9', '1.0.10', '99.0.0', pinned]) put('claude', version);
  put('codex', '0.1.0');
  const first = await pruneAgents({ store: scratch.path, keep: 1 });
  expect(first.removed.map(({ version }) => version)).toEqual(['1.0.10', '1.0.9']);
  expect(versions('claude')).toEqual([pinned, '99.0.0'].sort());
  expect(versions('codex')).toEqual(['0.1.0']);
  await pruneAgents({ store: scratch.path });
  expect(versions('claude')).toEqual([pinned]);
  expect(versions('codex')).toEqual([]);
});

it('keeps what a process uses, and what another process adds', async () => {
  const used = put('claude', '1.0.0');
  const child = spawn(process.execPath, [join(used, 'node_modules', 'cli.js')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(child.stdout, 'data');
    put('claude', '1.0.1');
    mkdirSync(join(scratch.path, '.locks'));
    writeFileSync(join(scratch.path, '.locks', 'claude@1.0.1'), formatHolder(ownHolder()));
    const { removed, kept } = await pruneAgents({ store: scratch.path });
    expect(removed).toEqual([]);
    expect(kept.map(({ version, error }) => [version, error.code])).toEqual([
      ['1.0.1', 'AGENT_STORE_LOCKED'],
      ['1.0.0', 'AGENT_IN_USE'],
    ]);
    expect(kept[1]?.error.message).toContain(String(child.pid));
    expect(versions('claude')).toEqual(['1.0.0', '1.0.1']);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await expect(removeAgent('claude@1.0.0', scratch.path)).resolves.toMatchObject({ version: '1.0.0' });
});
