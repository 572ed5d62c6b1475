import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('guard-examples');
});
afterEach(() => scratch.remove());

const understudy = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });

it('plays what public issues say of guards, with the verdict of the pinned Claude Code', async () => {
  const played = await understudy('run', resolve('examples/guard/issues'));
  expect(played, played.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('5 passed') });
}, 120_000);

it('notices each fault that is planted into the guards of the example', async () => {
  const plugin = await understudy('guard', resolve('examples/guard/holds'), '--prove');
  expect(plugin, plugin.stdout).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('5 of 5 planted faults are noticed'),
  });
  const project = await understudy('guard', resolve('examples/guard/project'), '--prove');
  expect(project, project.stdout).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/✗ +deny Write\(\.\/secrets[\s\S]*17 of 17 planted faults are noticed/),
  });
}, 300_000);
