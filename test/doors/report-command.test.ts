import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runUnderstudy } from '../helpers/understudy.js';
import { ctrfProblems, junitProblems } from '../helpers/validate-reports.js';
import { writeFiles } from '../helpers/write-files.js';

const cwd = mkdtempSync(join(tmpdir(), 'understudy-report-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const rehearsal = (name: string, expected: string) => `name = "${name}"
stage = "sim"
tags = ["${name}"]
[[responses]]
pattern = { type = "any" }
response = "fine"
[[steps]]
send = "hello"
expect.says = "${expected}"
`;

const run = (...args: string[]) => runUnderstudy(args, { cwd });
const inGitHub = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
let whole: Awaited<ReturnType<typeof run>>;

beforeAll(async () => {
  writeFiles(cwd, {
    'a.rehearsal.toml': rehearsal('good', 'fine'),
    'b.rehearsal.toml': rehearsal('bad', 'excellent'),
    'c.rehearsal.toml': rehearsal('better', 'fine'),
  });
  const reporters = ['list', 'junit=o/junit.xml', 'ctrf=o/ctrf.json', 'markdown=o/report.md', 'agent=o/agent.txt'];
  whole = await runUnderstudy(['run', '--reporter', reporters.join(), '--output', 'whole'], { cwd, env: inGitHub });
});

it('writes every report of a run at once, at the line of the expectation', async () => {
  expect(whole.code).toBe(1);
  expect(whole.stdout).toContain('at b.rehearsal.toml:9:8');
  expect(whole.stdout).toContain('again: understudy run b.rehearsal.toml --agent claude --stage sim');
  expect(whole.stdout).toContain('::error file=b.rehearsal.toml,line=9,col=8,title=bad [claude sim]::');
  expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toContain('### bad (claude sim)');
  const read = (name: string) => readFileSync(join(cwd, 'o', name), 'utf8');
  expect(await junitProblems(read('junit.xml'))).toEqual([]);
  expect(ctrfProblems(read('ctrf.json'))).toEqual([]);
  expect(read('agent.txt')).toMatch(/^FAILED: 1 failed/);
  expect(read('report.md')).toContain('FAILED');
  for (const name of ['result.json', 'report.html', 'logs', 'artifacts']) {
    expect(existsSync(join(cwd, 'whole', name)), name).toBe(true);
  }
});

it('merges shards to the run that they are parts of, and names the one that is missing', async () => {
  const shards = [1, 2, 3, 4].map((index) => run('run', '--shard', `${index}/4`, '--output', `shards/${index}`));
  const [, , , empty] = await Promise.all(shards);
  expect(empty).toMatchObject({ code: 0, stdout: expect.stringContaining('shard 4 of 4 is empty') });
  const merged = await run('report', 'merge', 'shards', '--output', 'merged', '--reporter', 'list,junit=merged.xml');
  expect(merged).toMatchObject({ code: 1, stdout: expect.stringContaining('2 passed, 1 failed') });
  const names = (folder: string) =>
    (JSON.parse(readFileSync(join(cwd, folder, 'result.json'), 'utf8')) as { entries: { id: string }[] }).entries.map(
      ({ id }) => id,
    );
  expect(names('merged')).toEqual(names('whole'));
  expect(await junitProblems(readFileSync(join(cwd, 'merged.xml'), 'utf8'))).toEqual([]);
  expect(readFileSync(join(cwd, 'merged/report.html'), 'utf8')).toContain('id="test-2"');
  const half = await run('report', 'merge', 'shards/1', 'shards/2', 'shards/4');
  expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('shard 3 of 4 is missing') });
});

it('shows a run again, compares two, and says which result it cannot read', async () => {
  const shown = await run('report', 'show', 'whole', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ exit_code: 1, counts: { passed: 2, failed: 1 } });
  writeFiles(cwd, { 'b.rehearsal.toml': rehearsal('bad', 'fine'), 'a.rehearsal.toml': rehearsal('good', 'great') });
  await run('run', '--output', 'later', '-q');
  const diff = await run('report', 'diff', 'whole', 'later');
  expect(diff.code).toBe(1);
  expect(diff.stdout).toMatch(/newly failing: 1\n {2}good .*\n\nfixed: 1\n {2}bad/);
  const back = await run('report', 'diff', 'whole', 'whole', '--json');
  expect(JSON.parse(back.stdout)).toMatchObject({ newly_failing: [], still_failing: [expect.stringContaining('b.')] });
  const comment = await run('report', 'comment', 'later', '--base', 'whole');
  // How long a test took is up to the machine.
  expect(comment.stdout).toMatch(
    /^<!-- understudy -->\n\n### 🔴 [\s\S]*Against the base: 1 newly failing, 1 fixed(?:, \d slower)?\./,
  );
  expect(await run('report', 'show', 'later', '--base', 'whole')).toMatchObject({ code: 2 });
  expect(await run('report', 'comment', 'later', '--json')).toMatchObject({ code: 2 });
  const trends = await run('report', 'trends', '--last', '2');
  expect(trends.stdout).toMatch(/✗ .* 2 of 3 .*\n✗ .* 2 of 3 .*\n\nchanged their verdict: 2\n {2}✓✗ a\.rehearsal/);
  const opened = await run('report', 'open', 'later');
  expect(opened).toMatchObject({ code: 0, stdout: 'later/report.html\n' });
  expect(await run('report', 'show', 'nowhere')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('RESULT_UNREADABLE'),
  });
  expect(await run('report', 'show')).toMatchObject({ code: 2, stderr: expect.stringContaining('NO_RUN_YET') });
});

it('lists, filters by tags, and passes with no tests when that is allowed', async () => {
  const listed = await run('run', '--list', '--grep', '@good or @better');
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 to run') });
  expect(await run('run', '--grep', '@good and @bad')).toMatchObject({ code: 2 });
  expect(await run('run', '--grep', '@good and @bad', '--pass-with-no-tests')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('there was no rehearsal to run'),
  });
  expect(await run('run', '--reporter', 'lst')).toMatchObject({ code: 2, stderr: expect.stringContaining('lst') });
});

it('speaks to an agent that runs it, and tells of a report that cannot be written', async () => {
  const { code, stdout, stderr } = await runUnderstudy(
    ['run', 'c.rehearsal.toml', '--reporter', 'agent,junit=c.rehearsal.toml/x.xml'],
    { cwd },
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringMatching(/^PASSED: all rehearsals passed/) });
  expect(stderr).toContain('c.rehearsal.toml/x.xml');
  const asked = await runUnderstudy(['run', 'c.rehearsal.toml'], { cwd, env: { CLAUDECODE: '1' } });
  expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PASSED: /) });
});

it('names a test that is new and fails once', async () => {
  writeFiles(cwd, { 'x.rehearsal.toml': rehearsal('newcomer', 'missing') });
  await run('run', 'x.rehearsal.toml', '--output', 'newest', '-q');
  const added = await run('report', 'diff', 'whole', 'newest');
  expect(added.stdout).toMatch(/newly failing: 1\n {2}newcomer/);
  expect(added.stdout.match(/newcomer/g)).toHaveLength(1);
  expect(added.stdout).not.toMatch(/^new:/m);
});
