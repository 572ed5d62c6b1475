import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runUnderstudy } from '../helpers/understudy.js';

it('plays what public issues say of guards, with the verdict of the pinned Claude Code', async () => {
  const scratch = createScratch('guard-issues');
  const played = await runUnderstudy(['run', resolve('examples/guard/issues')], { cwd: scratch.path });
  expect(played, played.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('5 passed') });
  await scratch.remove();
}, 120_000);
