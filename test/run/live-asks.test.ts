import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const scratch = createScratch('live-asks');
const cwd = join(scratch.path, 'project');
afterAll(() => scratch.remove());
writeFiles(cwd, { 'a.rehearsal.toml': greeting(), 'b.rehearsal.toml': greeting() });

/** What the terminal shows at the end, and the exit code, after these answers. No credentials are there. */
async function answered(answer: string, ...args: string[]): Promise<{ text: string; code: number | undefined }> {
  const terminal = await Terminal.start({
    ...{ command: [process.execPath, UNDERSTUDY, 'run', '--stage', 'live', ...args], cwd, columns: 160 },
    env: { ...scrubbedEnvironment(), HOME: scratch.path, UNDERSTUDY_ISOLATION: 'none' },
  });
  try {
    if (answer !== '') {
      await terminal.waitFor('Begin? [y/N]');
      terminal.type(answer);
    }
    await expect.poll(() => terminal.exit, { timeout: 20_000 }).toBeDefined();
    return { text: terminal.text(), code: terminal.exit?.code };
  } finally {
    await terminal.end();
  }
}

it('says what it will call, and asks the person at a terminal', { timeout: 60_000 }, async () => {
  const no = await answered('\r');
  expect(no).toMatchObject({ code: 2, text: expect.stringContaining('live: 2 calls of real agents (claude 2)') });
  expect(no.text).toContain('RUN_DECLINED');
  expect(await answered('\u0004')).toMatchObject({ code: 2, text: expect.stringContaining('RUN_DECLINED') });
  expect(await answered('\u0003')).toMatchObject({ code: 130, text: expect.not.stringContaining('RUN_DECLINED') });
  const yes = await answered('y\r');
  expect(yes).toMatchObject({ code: 2, text: expect.stringContaining('2 could not run') });
  const told = await answered('', '--yes');
  expect(told).toMatchObject({ code: 2, text: expect.stringContaining('2 could not run') });
});

it('never asks without a terminal, and refuses --yes where nothing is asked', async () => {
  const live = await runUnderstudy(['run', '--stage', 'live'], { cwd });
  expect(live).toMatchObject({ code: 2, stdout: expect.stringContaining('2 could not run') });
  const sim = await runUnderstudy(['run', '--stage', 'sim', '--yes'], { cwd });
  expect(sim).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes does nothing on sim') });
});
