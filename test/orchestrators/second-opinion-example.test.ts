import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const run = (folder: string, stage: string) => runUnderstudy(['run', '.', '--stage', stage], { cwd: folder });

it('hears the second opinion on both stages, and sees when an objection ends the turn', async (context) => {
  await realAgent('claude', context);
  const scratch = createScratch('example');
  try {
    cpSync('examples/second-opinion', scratch.path, { recursive: true });
    const hooks = join(scratch.path, 'plugin/hooks/hooks.json');
    const written = readFileSync(hooks, 'utf8');
    for (const stage of ['sim', 'scripted']) {
      writeFileSync(hooks, written);
      expect(await run(scratch.path, stage)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
      writeFileSync(hooks, written.replace(/,\s*"continueOnBlock": true/, ''));
      const ended = await run(scratch.path, stage);
      expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('step 1 (a command that deletes') });
    }
  } finally {
    await scratch.remove();
  }
}, 90_000);
