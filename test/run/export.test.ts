import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hooksFile, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const root = mkdtempSync(join(tmpdir(), 'understudy-export-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const here = join(root, 'here');
const there = join(root, 'there');
const green = join(root, 'green');

/** Rows of a file, an extended file, the rules of a scenario file, and defaults of the project; the hook blocks nothing. */
beforeAll(() => {
  const hook = '"${CLAUDE_PLUGIN_ROOT}/guard.sh"';
  writePlugin(here, 'guard', {
    'hooks/hooks.json': hooksFile('PreToolUse', hook, {}, 'Bash'),
    'guard.sh': '#!/bin/sh\necho "Never by force." >&2\nexit 1\n',
  });
  writeFiles(here, {
    'understudy.toml': '[defaults]\nplugins = ["guard"]\n',
    'tests/base.toml': 'scenario = "rules/push.toml"\n',
    'tests/rules/push.toml': `[[responses]]
pattern = { type = "contains", text = "push" }
response = { text = "I leave it.", tool_calls = [{ tool = "Bash", input = { command = "git push --force" } }] }
`,
    'tests/rows.csv': 'name,prompt\nforced push,push it\nother push,push this\n',
    'tests/guard.rehearsal.toml': `name = "the guard"
extends = "base.toml"
each = "rows.csv"
[[steps]]
send = "{{prompt}}"
[steps.expect]
hooks = [{ event = "PreToolUse", on = "Bash", blocked = true }]
`,
  });
  mkdirSync(there);
  mkdirSync(green);
});

const run = (cwd: string, ...args: string[]) => runUnderstudy(args, { cwd });

it('exports a red row, and anybody sees it red in an empty folder, on the same version of the CLI', async (context) => {
  const claude = await realAgent('claude', context);
  const first = await run(here, 'run', 'tests', '--grep', 'forced', '--json', '--stage', 'scripted');
  expect(first.code).toBe(1);
  const exported = await run(here, 'report', 'export', 'forced');
  expect(exported).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('guard.forced-push.understudy-repro.json'),
  });
  const file = 'guard.forced-push.understudy-repro.json';
  const { play } = JSON.parse(readFileSync(join(here, file), 'utf8')) as { play: unknown };
  expect(play).toEqual({
    ...{ rehearsal: 'tests/guard.rehearsal.toml', row: 'forced push', stage: 'scripted' },
    agents: [`claude@${claude.version}`],
  });
  cpSync(join(here, file), join(there, file));
  rmSync(here, { recursive: true });
  const again = await run(there, 'run', file, '--json');
  expect(again.code, again.stderr).toBe(1);
  const red = ({ stdout }: typeof first) =>
    (
      JSON.parse(stdout) as { entries: { name: string; steps: { checks: { name: string; status: string }[] }[] }[] }
    ).entries.map(({ name, steps }) =>
      [name, ...steps.flatMap(({ checks }) => checks.filter(({ status }) => status === 'failed'))].map((one) =>
        typeof one === 'string' ? one : one.name,
      ),
    );
  expect(red(again)).toEqual([['the guard [forced push]', 'hook']]);
  expect(red(again)).toEqual(red(first));
  expect(again.stderr).toContain(`${file}: red as when it was exported`);
});

it('plays the exported test of the examples, and a look at it runs nothing', async () => {
  cpSync('examples/exchange/guard.understudy-repro.json', join(green, 'guard.understudy-repro.json'));
  const checked = await run(green, 'check', 'guard.understudy-repro.json');
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('6 files, played by claude on sim') });
  expect(existsSync(join(green, '.understudy'))).toBe(false);
  const played = await run(green, 'run', 'guard.understudy-repro.json');
  expect(played).toMatchObject({ code: 1, stderr: expect.stringContaining('red as when it was exported') });
});

it('says which test it cannot export, and what does not work with an exported one', async () => {
  writeFiles(green, {
    'a.rehearsal.toml': '[[responses]]\npattern = { type = "any" }\nresponse = "x"\n[[steps]]\nsend = "x"\n',
  });
  await run(green, 'run', 'a.rehearsal.toml', '--stage', 'sim');
  const none = await run(green, 'report', 'export', 'b');
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('the run has no test with "b"') });
  const passed = await run(green, 'report', 'export');
  expect(passed).toMatchObject({ code: 2, stderr: expect.stringContaining('no test of the run is red') });
  const ending = await run(green, 'report', 'export', 'a', '-o', 'x.json');
  expect(ending.stderr).toContain('Let it end with .understudy-repro.json');
  const watched = await run(green, 'run', 'x.understudy-repro.json', '--watch');
  expect(watched).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--watch does not work with a test that was exported'),
  });
  const missing = await run(green, 'run', 'x.understudy-repro.json');
  expect(missing).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no file x.understudy-repro.json'),
  });
});
