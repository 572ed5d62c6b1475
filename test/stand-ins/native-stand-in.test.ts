import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nativeProgram } from '../../packages/kit/src/process/native-program.js';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { notCompiled } from '../helpers/native.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram } from '../helpers/understudy.js';

const scratch = createScratch('native');
afterAll(() => scratch.remove());

it('takes neither variables nor code from the project that it is started in', async ({ skip }) => {
  if (notCompiled !== undefined) skip(notCompiled);
  const { file = '' } = nativeProgram();
  const cwd = join(scratch.path, 'project');
  writeFiles(cwd, {
    'scenario.toml': '[[responses]]\npattern = { type = "any" }\nresponse = "hello"\n',
    '.env': 'ANTHROPIC_API_KEY=of-the-project\n',
    'bunfig.toml': 'preload = ["./first.js"]\n',
    'first.js': 'console.log("the project was here");\n',
  });
  const env = { HOME: join(scratch.path, 'home'), UNDERSTUDY_SCENARIO: 'scenario.toml' };
  const args = ['claude', '-p', 'hi', '--output-format', 'stream-json', '--verbose'];
  const { stdout } = await runProgram([file, ...args], { cwd, env });
  expect(stdout).not.toContain('the project was here');
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ subtype: 'init', apiKeySource: 'none' });
});
