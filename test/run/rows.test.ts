import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('rows');
afterAll(() => scratch.remove());

const sim = (...args: string[]) => ['run', '--stage', 'sim', ...args];

it('plays the example, of which a changed rule of the plugin makes the right rows red', async () => {
  const cwd = join(scratch.path, 'example');
  cpSync(resolve('examples/rows'), cwd, { recursive: true });
  const guard = join(cwd, 'guard/hooks/guard.mjs');
  const green = await runUnderstudy(sim('--reporter', 'list,junit=out.xml', '--shard', '1/2', '.'), { cwd });
  expect(green.code).toBe(0);
  expect(green.stdout).toContain('6 passed');
  expect(readFileSync(join(cwd, 'out.xml'), 'utf8')).toContain('name="the guard and rm -rf build');
  // `--force` and `-f` are two rows: one of them tells that half of the rule is gone.
  writeFileSync(guard, readFileSync(guard, 'utf8').replace('(--force|-f)', '(--force)'));
  const red = await runUnderstudy(sim('.'), { cwd });
  expect(red.code).toBe(1);
  expect(red.stdout).toContain('11 passed, 1 failed');
  expect(red.stdout).toMatch(/✗ the guard and git push -f[\s\S]*> 14 \| hooks = /);
  expect(red.stdout).toContain("--grep '[git push -f]' --agent claude");
  const again = await runUnderstudy(sim('--last-failed', '--repeat', '2', '--json', '.'), { cwd });
  const { entries } = JSON.parse(again.stdout) as { entries: { id: string; round: number }[] };
  expect(entries.map(({ id, round }) => `${round} ${id}`)).toEqual([
    '1 guard.rehearsal.toml [git push -f] claude sim',
    '2 guard.rehearsal.toml [git push -f] claude sim',
  ]);
});

it('takes a place in a row as that row, and any other place as all of them', async () => {
  const cwd = join(scratch.path, 'places');
  const rows = '[[each]]\nsaid = "a"\nand = "b"\n\n[[each]]\nname = "second"\nsaid = "c"\nand = "d"\n';
  const text = `${rows}\n[[steps]]\nsend = "{{said}} {{and}}"\n`;
  writeFiles(cwd, { 'a.rehearsal.toml': `default_response = "ok"\n${text}` });
  const listed = async (...places: string[]) => {
    const { stdout } = await runUnderstudy(
      sim('--list', '--json', ...places.map((place) => `a.rehearsal.toml${place}`)),
      { cwd },
    );
    return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => /\[(.+)\]/.exec(id)?.[1]);
  };
  expect(await listed(':8:3')).toEqual(['second']);
  expect(await listed(':2', ':6')).toEqual(['a', 'second']);
  expect(await listed(':11')).toEqual(['a', 'second']);
});

it('takes rows from code, and ends with 2 when something is wrong with rows', async () => {
  const cwd = join(scratch.path, 'wrong');
  const steps = '[[steps]]\nsend = "{{said}}"\n';
  writeFiles(cwd, {
    'a.rehearsal.mjs': `export default { name: 'says', default_response: '{{said}}!', each: [{ said: 'a' }, { said: 'b' }], steps: [{ send: '{{said}}', expect: { says: '{{said}}!' } }] };`,
    'b.rehearsal.toml': `each = "rows.csv"\ndefault_response = "ok"\n${steps}`,
    'rows.csv': 'sayd\nx\n',
  });
  const { code, stdout } = await runUnderstudy(sim('.'), { cwd });
  expect(code).toBe(2);
  expect(stdout).toContain('2 passed, 1 could not run');
  expect(stdout).toContain('b.rehearsal.toml:4:1 no row has a value for `{{said}}` [UNKNOWN_PLACEHOLDER]');
  expect(stdout).toContain('fix: Change it to `{{sayd}}`.');
});
