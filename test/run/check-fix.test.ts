import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('check-fix');
const cwd = scratch.path;
afterAll(() => scratch.remove());

const check = (...args: string[]) => runUnderstudy(['check', ...args], { cwd });

const OLD = `# how it was written once
workflow = "epti"
respones = [ { pattern = { type = "any" }, response = "Fine." } ] # a slip

[[steps]]
send = "hello"   # the stage stays a word here
[steps.expect.stage]
from = "idle" # kept
to = "writing-tests"
`;

it('gives fields their names, shows the difference, and leaves everything else as it is', async () => {
  writeFiles(cwd, {
    'old.rehearsal.toml': OLD,
    'understudy.toml': 'format = 1\nworker = 2\n',
    'base.toml': 'tag = ["x"]\n',
    'other.rehearsal.yaml':
      'extends: base.toml\ndefault_response: Fine.\nsteps:\n  - send: hello\n    expects:\n      says: Fine\n',
  });
  symlinkSync('old.rehearsal.toml', join(cwd, 'link.rehearsal.toml'));
  const before = await check('.');
  expect(before).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('can be mended by `understudy check --fix`'),
  });
  const mended = await check('.', '--fix');
  expect(mended).toMatchObject({ code: 0, stderr: '' });
  expect(mended.stdout).toContain('-[steps.expect.stage]\n+[steps.expect.workflow]\n');
  const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
  expect(text('old.rehearsal.toml')).toBe(
    OLD.replace('respones', 'responses').replace('expect.stage', 'expect.workflow'),
  );
  expect(text('other.rehearsal.yaml')).toContain('    expect:\n');
  expect(text('base.toml')).toBe('tags = ["x"]\n');
  expect(text('understudy.toml')).toBe('format = 1\nworkers = 2\n');
  expect(lstatSync(join(cwd, 'link.rehearsal.toml')).isSymbolicLink()).toBe(true);
  const again = await check('.', '--fix', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, mended: [] });
});

it('guesses nothing: what is not certain stays a problem; so does a name that is there already', async () => {
  const text = 'default_response = "x"\ntagz = []\ntags = ["a"]\nfrobnicate = 1\n[[steps]]\nsend = "a"\n';
  writeFiles(cwd, { 'unclear/a.rehearsal.toml': text });
  expect(await check('unclear', '--fix')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('`tagz` is not a field here'),
  });
  expect(readFileSync(join(cwd, 'unclear/a.rehearsal.toml'), 'utf8')).toBe(text);
});

it('refuses a newer format by its name alone, in each kind of file', async () => {
  const rehearsal = 'format = 2\nnew_field = 1\n[[steps]]\nsend = "a"\n';
  writeFiles(cwd, {
    'new/a.rehearsal.toml': rehearsal,
    'new/scenario.toml': 'format = 2\nresponses = []\n',
    'newer/understudy.toml': 'format = 7\nfuture = true\n',
    'newer/a.rehearsal.toml': 'default_response = "x"\n[[steps]]\nsend = "a"\n',
  });
  const checked = await check('new', '--json');
  const { files } = JSON.parse(checked.stdout) as { files: { errors: { code: string; fix: string }[] }[] };
  for (const { errors } of files) {
    expect(errors).toMatchObject([{ code: 'FORMAT_TOO_NEW', fix: expect.stringContaining('agent-understudy@latest') }]);
  }
  expect(files).toHaveLength(2);
  const run = await runUnderstudy(['run', '--stage', 'sim'], { cwd: join(cwd, 'newer') });
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('this file has format 7') });
});
