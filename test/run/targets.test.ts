import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('targets');
afterAll(() => scratch.remove());

const example = (name: string) => {
  const cwd = join(scratch.path, name);
  cpSync(resolve('examples/targets'), cwd, { recursive: true });
  return cwd;
};

it('plays the example: each rehearsal in each target, with the models on the real Claude Code; the result is a matrix', async () => {
  const cwd = example('played');
  const reporter = 'list,junit=out.xml,ctrf=out.json,markdown=out.md';
  const run = await runUnderstudy(['run', '--output', 'out', '--reporter', reporter], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^targets: quick, codex, models · /);
  const table = [
    '  quick  codex  models',
    '  ✓      ✓              anybody greets',
    '  ✓             ✓ 2/2   the team greets',
  ];
  expect(run.stdout).toContain(`\n${table.join('\n')}\n`);
  const { entries } = JSON.parse(readFileSync(join(cwd, 'out/result.json'), 'utf8'));
  expect(entries.map(({ id }: { id: string }) => id)).toEqual([
    'plain.rehearsal.toml claude sim quick',
    'plain.rehearsal.toml codex sim codex',
    'team.rehearsal.toml claude sim quick',
    'team.rehearsal.toml claude scripted claude-opus-4-6 models',
    'team.rehearsal.toml claude scripted claude-sonnet-4-5 models',
  ]);
  const events = (target: string) =>
    readdirSync(join(cwd, 'out/logs'))
      .filter((name) => name.startsWith('team') && name.endsWith(target))
      .map((name) => readFileSync(join(cwd, 'out/logs', name, 'events.jsonl'), 'utf8'));
  expect(events('quick')).toEqual([expect.stringContaining('team green')]);
  expect(events('models')).toEqual([
    expect.stringMatching(/"model":"claude-opus-4-6"[\s\S]*team blue/),
    expect.stringMatching(/"model":"claude-sonnet-4-5"[\s\S]*team blue/),
  ]);
  const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
  expect(text('out.xml')).toContain('<property name="target" value="models"/>');
  expect(text('out.json')).toContain('"target": "codex"');
  expect(text('out.md')).toContain('| `the team greets` | passed |  | passed, 2 of 2 passed |');
});

it('plays the chosen ones, in flags and in the command that runs a failure again', async () => {
  const cwd = example('chosen');
  writeFileSync(join(cwd, 'red.rehearsal.toml'), greeting({ name: 'red', expects: 'never' }));
  const run = (...args: string[]) => runUnderstudy(['run', ...args], { cwd });
  const red = await run('red.rehearsal.toml', '--target', 'quick', '--model', 'claude-opus-4-6', '--reporter', 'agent');
  expect(red.code).toBe(1);
  expect(red.stdout).toContain('failed: red [claude (claude-opus-4-6) sim quick]');
  expect(red.stdout).toContain(
    'run red.rehearsal.toml --agent claude --stage sim --target quick --model claude-opus-4-6',
  );
  // Claude Code does not know this one any more, and takes another.
  const gone = await run(
    'plain.rehearsal.toml',
    '--agent',
    'claude',
    '--model',
    'claude-opus-4-1',
    '--target',
    'models',
    '--target',
    'quick',
  );
  expect(gone).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/expected +the agent works with claude-opus-4-1\n +seen +it works with claude-opus-/),
  });
  expect(await run('--target', 'model')).toMatchObject({ code: 2, stderr: expect.stringContaining('mean models?') });
  expect(await run('plain.rehearsal.toml', '--target', 'models')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no test belongs to models'),
  });
});

it('says which tests no target plays, and where a target is wrong', async () => {
  const cwd = example('left');
  writeFiles(cwd, { 'other.rehearsal.toml': greeting({ more: 'agent = "gemini@0.0.1"' }) });
  writeFileSync(join(cwd, 'understudy.toml'), '[[targets]]\nname = "x"\nagents = ["claude"]\nstages = ["sim"]\n');
  const list = await runUnderstudy(['run', '--list'], { cwd });
  expect(list.code).toBe(0);
  expect(list.stderr).toContain('in no target, so not played: other.rehearsal.toml');
  expect(list.stdout).toContain('anybody greets claude sim x plain.rehearsal.toml');
  writeFileSync(join(cwd, 'understudy.toml'), '[[targets]]\nname = "x"\nisolation = "sandboks"\nversion = ["1"]\n');
  expect(await runUnderstudy(['run'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/:4:1 .*\n[\s\S]*versions/),
  });
});
