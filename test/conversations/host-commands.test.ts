import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';

const scratch = createScratch('host-commands');
afterAll(() => scratch.remove());

const text = (name: string) => `---\nname: ${name}\ndescription: Does it\n---\nDo it.\n`;
const INITIALIZE = { type: 'control_request', request_id: 'a', request: { subtype: 'initialize' } };

/** The names under which a host is told of the commands, in their order. */
async function namesOn(stage: string): Promise<unknown> {
  const cli = ['claude', '-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const args = ['exec', '--stage', stage, '--agent', 'claude', '--scenario', 's.toml', '--', ...cli];
  const run = await runUnderstudy([...args, '--plugin-dir', join(scratch.path, 'plug')], {
    cwd: scratch.path,
    input: `${JSON.stringify(INITIALIZE)}\n`,
  });
  const line = run.stdout.split('\n').find((one) => one.includes('"control_response"')) ?? '{}';
  const { commands } = JSON.parse(line).response.response as { commands: { name: string; aliases?: string[] }[] };
  return commands.map(({ name, aliases = [] }) => [name, ...aliases].join(' = '));
}

it('tells a host of commands under the names and in the order of the real Claude Code', async (context) => {
  await realAgent('claude', context);
  writeFiles(scratch.path, {
    's.toml': 'default_response = "Fine."\n',
    '.claude/skills/folder/SKILL.md': text('of-the-project'),
    '.claude/commands/file.md': text('not-its-name'),
    'plug/.claude-plugin/plugin.json': '{ "name": "plug" }',
    'plug/commands/file.md': text('of-the-plugin'),
    'plug/commands/deep/inner.md': text('inside'),
    'plug/skills/folder/SKILL.md': text('Two Words'),
  });
  const real = await namesOn('scripted');
  expect(real).toContain('plug:deep:inside = inside = plug:deep:inner');
  expect(await namesOn('sim')).toEqual(real);
});
