import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('secrets');
});
afterEach(() => scratch.remove());

const SECRET = 'correct-horse-battery-staple';
const ENCODED = Buffer.from(`MY_TOKEN=${SECRET}\n`).toString('base64').replace(/=+$/, '');

it('a secret that a tool prints, plain or encoded, is in no file and no output of a run', async () => {
  const vault = join(scratch.path, 'vault.txt');
  writeFiles(scratch.path, {
    'vault.txt': `MY_TOKEN=${SECRET}\n`,
    'work/a.rehearsal.toml': `name = "prints a secret"
tool_execution = { mode = "live" }
[[responses]]
pattern = { type = "any" }
response = { tool_calls = [{ tool = "Bash", input = { command = "cat ${vault}; base64 ${vault}" } }], then = "Done." }
[[steps]]
send = "print it"
expect = { says = "never said" }
`,
  });
  const cwd = join(scratch.path, 'work');
  const { code, stdout, stderr } = await runUnderstudy(['run', '--stage', 'sim', '--json', '--keep-workspace'], {
    cwd,
    env: { MY_TOKEN: SECRET },
  });
  expect(code, stderr).toBe(1);
  const kept = join(cwd, '.understudy');
  const files = readdirSync(kept, { recursive: true, encoding: 'utf8' })
    .map((name) => join(kept, name))
    .filter((file) => statSync(file).isFile());
  expect(files.map((file) => file.split('/').at(-1))).toEqual(
    expect.arrayContaining(['events.jsonl', 'stand-in.jsonl']),
  );
  const texts = [stdout, stderr, ...files.map((file) => readFileSync(file, 'utf8'))];
  expect(texts.filter((text) => text.includes('[secret]')).length).toBeGreaterThanOrEqual(2);
  for (const text of texts) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(ENCODED);
  }
});
