import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';
import { afterAll, expect, it } from 'vitest';
import { sample, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { type Change, loopFaults } from './catalogue/loop.js';

const root = mkdtempSync(join(tmpdir(), 'understudy-faults-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
// What is not bundled is found where the repository has it.
symlinkSync(resolve('node_modules'), join(root, 'node_modules'));

/** Builds the program with the fault in it, and gives a `ralph` that is the faulty loop. */
async function buildFaulty(folder: string, changes: readonly Change[]): Promise<string> {
  const pending = new Map(changes.map(([file, written, instead]) => [resolve('src', file), { written, instead }]));
  for (const [file, { written }] of pending) {
    expect(readFileSync(file, 'utf8').split(written), `${file} has "${written}" once`).toHaveLength(2);
  }
  await build({
    config: false,
    logLevel: 'error',
    entry: { understudy: 'src/bin/understudy-loop.ts' },
    outDir: join(folder, 'bin'),
    platform: 'node',
    fixedExtension: false,
    dts: false,
    clean: false,
    deps: { alwaysBundle: [/^zod/, /^smol-toml/, /^commander/, /^picocolors/], onlyBundle: false },
    plugins: [
      {
        name: 'fault',
        transform: (code: string, id: string) => {
          const change = pending.get(id);
          return change === undefined ? undefined : code.replace(change.written, () => change.instead);
        },
      },
    ],
  });
  const ralph = join(folder, 'ralph');
  const loop = `'${process.execPath}' '${join(folder, 'bin/understudy.js')}' loop "$@"`;
  writeFileSync(ralph, `#!/bin/sh\n[ "$1" = --version ] && echo 'understudy loop 0.0.0' && exit\nexec ${loop}\n`);
  chmodSync(ralph, 0o755);
  return ralph;
}

it('passes without a fault, so that it is the fault that is found', { timeout: 120_000 }, async () => {
  const folder = join(root, 'sound');
  mkdirSync(folder);
  const ralph = await buildFaulty(folder, []);
  // That every case passes is shown in loop-suite.test.ts; here, that a loop which is built like this one does.
  const args = ['e2e', 'all', '--filter', 'hat-single', '--ralph', ralph, '--skip-baselines', '--skip-analysis'];
  const { code, stdout } = await runUnderstudy(args, { cwd: folder });
  expect(code, stdout).toBe(0);
});

// Each is a build of its own: half of them by seed in CI, all in the long run.
it.each(sample(loopFaults, loopFaults.length / 2, seedOr(9)))(
  'finds that $name, by $caughtBy',
  { timeout: 120_000 },
  async ({ name, caughtBy, changes }) => {
    const folder = join(root, name.replaceAll(/\W+/g, '-'));
    mkdirSync(folder);
    const ralph = await buildFaulty(folder, changes);
    const args = [
      'e2e',
      'all',
      '--filter',
      caughtBy,
      '--ralph',
      ralph,
      '--skip-analysis',
      ...(name.includes('nobody asked') ? [] : ['--skip-baselines']),
    ];
    const { code, stdout } = await runUnderstudy(args, { cwd: folder });
    expect(code, stdout).toBe(1);
    expect(stdout).toMatch(/^1 failed in /m);
  },
);
