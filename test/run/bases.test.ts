import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('bases');
afterAll(() => scratch.remove());

it('plays the example, and says at which line of which file a thing stands', async () => {
  const cwd = join(scratch.path, 'example');
  cpSync(resolve('examples/defaults'), cwd, { recursive: true });
  const run = () => runUnderstudy(['run', '.'], { cwd });
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  const checked = await runUnderstudy(['check', '.'], { cwd });
  expect(checked).toMatchObject({ code: 0, stdout: expect.not.stringContaining('base.toml') });
  const rule = '[[responses]]\npattern = { type = "exact", text = "never" }\nresponse = "x"\n';
  appendFileSync(join(cwd, 'base.toml'), rule);
  const red = await run();
  expect(red.code).toBe(1);
  expect(red.stdout).toMatch(/at base\.toml:7:1\n[\s\S]*> 7 \| \[\[responses\]\]/);
  writeFileSync(join(cwd, 'base.toml'), 'extends = "polite.rehearsal.toml"\n');
  const circle = await run();
  expect(circle.code).toBe(2);
  expect(circle.stdout).toContain(
    'base.toml:1:1 this file extends itself: polite.rehearsal.toml → base.toml → polite.rehearsal.toml',
  );
});
