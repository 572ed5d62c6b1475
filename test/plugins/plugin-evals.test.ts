import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('plugin-evals');
});
afterEach(() => scratch.remove());

it('proves that the eval cases of a plugin can run, and names what is wrong with one that cannot', async (context) => {
  await realAgent('claude', context);
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{"name":"tidy","version":"1.0.0","description":"d"}',
    'evals/sound/prompt.md': '---\nmax_turns: 2\n---\n\nSay hello.\n',
    'evals/sound/graders/says.md': '---\ntype: regex\ntarget: last_message\n---\nwhat no script says\n',
    'evals/broken/case.yaml': 'schema_version: "1.0"\nname: broken\n',
  });
  const { code, stdout } = await runUnderstudy(['run', '.', '--json', '--stage', 'scripted'], { cwd: scratch.path });
  const { entries } = JSON.parse(stdout) as { entries: { name: string; status: string; checks: object[] }[] };
  expect(entries).toMatchObject([
    {
      name: 'broken',
      status: 'failed',
      checks: [{ name: 'the case loads', actual: expect.stringContaining('graders') }],
    },
    { name: 'sound', status: 'passed', checks: [{ name: 'the case loads' }, { name: 'the case runs' }] },
  ]);
  expect(code).toBe(1);
});
