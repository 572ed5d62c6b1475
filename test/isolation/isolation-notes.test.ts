import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import { realAgent } from '../helpers/real-agents.js';
import { type RunResult, runUnderstudy } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';

const noSandbox = await sandboxProblem();
const NONE = { level: 'none', reason: 'bubblewrap is not installed' };
const LINE = 'isolation: none (bubblewrap is not installed)';

let scratch: Scratch;

beforeAll(() => {
  scratch = createScratch('told-test');
  mkdirSync(join(scratch.path, 'bin'));
  // All programs of this machine but bubblewrap, and no engine.
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const programs = new Map(folders.toReversed().flatMap((folder) => namesIn(folder).map((name) => [name, folder])));
  for (const [name, folder] of programs)
    if (name !== 'bwrap' && name !== 'docker') symlinkSync(join(folder, name), join(scratch.path, 'bin', name));
});

afterAll(() => scratch.remove());

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const rehearsal = (name: string) =>
  `name = "${name}"\nstage = "sim"\n[[responses]]\npattern = { type = "any" }\nresponse = "Hi."\n` +
  `[[steps]]\nsend = "hello"\n[steps.expect]\nsays = "Hi"\n`;

function project(name: string): string {
  const folder = join(scratch.path, name);
  writeFiles(folder, { 'a.rehearsal.toml': rehearsal('a'), 'b.rehearsal.toml': rehearsal('b') });
  return folder;
}

/** On a machine without bubblewrap, where nobody said how far to go. */
function withoutBubblewrap(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<RunResult> {
  return runUnderstudy(args, { cwd, env: { PATH: join(scratch.path, 'bin'), UNDERSTUDY_ISOLATION: '', ...env } });
}

it('every report says that there was no isolation, and why', async () => {
  const cwd = project('reports');
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
  let traces = '';
  const collector = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      traces += text;
    });
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', () => resolve()));
  const { port } = collector.address() as AddressInfo;
  const files = 'json=r.json,junit=r.xml,ctrf=r.ctrf,markdown=r.md,html=r.html,agent=r.agent,dot=r.dot';
  const reporters = `list,${files},otlp=http://127.0.0.1:${port}`;
  const { code, stdout, stderr } = await withoutBubblewrap(cwd, ['run', '.', '--reporter', reporters], {
    ...{ CI: '1', GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') },
  });
  collector.close();
  expect(code, stderr).toBe(0);
  expect(stdout.split('\n')[0]).toBe(`sim: claude · ${LINE}`);
  expect(stdout).toContain(`::warning title=understudy::${LINE}`);
  expect(stderr).toMatch(/^warning ISOLATION_NOT_AVAILABLE: .*bubblewrap is not installed/m);
  const result = JSON.parse(read('r.json'));
  expect(result.isolation).toEqual(NONE);
  expect(result.entries[0].isolation).toEqual(NONE);
  expect(read('r.dot').split('\n')[0]).toBe(`sim: claude · ${LINE}`);
  for (const file of ['r.agent', 'summary.md']) expect(read(file), file).toContain(LINE);
  expect(read('r.md')).toContain('- **Isolation:** none (bubblewrap is not installed)');
  expect(read('r.xml')).toContain('<property name="isolation" value="none"/>');
  expect(read('r.xml')).toContain('<property name="isolation_reason" value="bubblewrap is not installed"/>');
  expect(JSON.parse(read('r.ctrf')).results.environment.extra).toEqual({ isolation: NONE });
  expect(traces).toContain('{"key":"understudy.isolation","value":{"stringValue":"none"}}');
  expect(traces).toContain(
    '{"key":"understudy.isolation.reason","value":{"stringValue":"bubblewrap is not installed"}}',
  );
  const comment = await runUnderstudy(['report', 'comment'], { cwd });
  expect(comment.stdout).toContain(`· ${LINE}`);
  const shown = await runUnderstudy(['report', 'show'], { cwd });
  expect(shown.stdout.split('\n')[0]).toBe(`sim: claude · ${LINE}`);
});

it('outside of CI nobody is warned, and what was asked for is no warning either', async () => {
  const cwd = project('quiet');
  const { stdout, stderr } = await withoutBubblewrap(cwd, ['run', 'a.rehearsal.toml']);
  expect(stdout.split('\n')[0]).toBe(`sim: claude · ${LINE}`);
  expect(stderr).not.toContain('warning');
  const asked = await withoutBubblewrap(cwd, ['run', 'a.rehearsal.toml', '--isolation', 'none'], { CI: 'true' });
  expect(asked.stdout.split('\n')[0]).toMatch(/^sim: claude · isolation: none$/);
  expect(asked.stderr).not.toContain('warning');
});

it('required is never none', async () => {
  const cwd = project('required');
  for (const args of [
    ['run', 'a.rehearsal.toml'],
    ['e2e', '--stage', 'sim', '--loop', '--grep', 'connect@claude'],
    ['plugin', cwd],
  ]) {
    const { code, stderr } = await withoutBubblewrap(cwd, [...args, '--isolation', 'required']);
    expect(stderr, args[0]).toMatch(/error ISOLATION_NOT_AVAILABLE: .*bubblewrap is not installed; docker is not/);
    expect(code, args[0]).toBe(2);
  }
});

it.skipIf(noSandbox !== undefined)('required is a sandbox where there is one', async () => {
  const cwd = project('there');
  const { stdout } = await runUnderstudy(['run', '.', '--isolation', 'required', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ isolation: { level: 'sandbox' }, exit_code: 0 });
});

it.skipIf(noSandbox !== undefined)('shards of different levels are mixed, and each entry says its own', async () => {
  const cwd = project('mixed');
  const shard = (part: string, ...more: string[]) => ['run', '.', '--shard', part, '--output', part, ...more];
  await withoutBubblewrap(cwd, shard('1/2'));
  await runUnderstudy(shard('2/2', '--isolation', 'sandbox'), { cwd });
  const { stdout } = await runUnderstudy(['report', 'merge', '1/2', '2/2', '--output', 'all'], { cwd });
  expect(stdout.split('\n')[0]).toBe('sim: claude · isolation: mixed (1 none: bubblewrap is not installed; 1 sandbox)');
  const { stdout: json } = await runUnderstudy(['report', 'show', 'all', '--json'], { cwd });
  const levels = JSON.parse(json).entries.map(({ isolation }: { isolation: unknown }) => isolation);
  expect(levels).toEqual([NONE, { level: 'sandbox' }]);
});

it('exec says it in its summary, its document and its log', async () => {
  const cwd = project('exec');
  const command = ['--scenario', 'a.toml', '--', 'sh', '-c', 'claude -p hello'];
  writeFiles(cwd, { 'a.toml': '[[responses]]\npattern = { type = "any" }\nresponse = "Hi."\n' });
  const { stderr } = await withoutBubblewrap(cwd, ['exec', '--stage', 'sim', '--log', 'log.jsonl', ...command]);
  expect(stderr).toContain('understudy: 1 call on sim · isolation: none (it is your own command;');
  const [first = ''] = readFileSync(join(cwd, 'log.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(first)).toMatchObject({ type: 'isolation', level: 'none' });
  const { stdout } = await withoutBubblewrap(cwd, [
    'exec',
    '--stage',
    'sim',
    '--json',
    '--isolation',
    'none',
    ...command,
  ]);
  expect(JSON.parse(stdout).isolation).toEqual({ level: 'none' });
  const required = await withoutBubblewrap(cwd, ['exec', '--stage', 'sim', ...command], {
    UNDERSTUDY_ISOLATION: 'required',
  });
  expect(required.stderr).toContain('ISOLATION_NOT_AVAILABLE');
});

it('the orchestrator suite says it', async () => {
  const cwd = project('e2e');
  const args = ['e2e', '--stage', 'sim', '--loop', '--grep', 'connect@claude', '--skip-analysis', '--skip-baselines'];
  const { stdout } = await withoutBubblewrap(cwd, args);
  expect(stdout.split('\n')[0]).toBe(`sim: claude · ${LINE}`);
});

it('the look at a plugin says it', async (context) => {
  await realAgent('claude', context);
  const cwd = project('plugin');
  writeFiles(cwd, { 'p/commands/a.md': 'A.', 'p/.claude-plugin/plugin.json': { name: 'p' } });
  const { stdout, stderr } = await withoutBubblewrap(cwd, ['plugin', 'p'], { CI: 'true' });
  expect(stdout.split('\n')[0]).toBe(LINE);
  expect(stderr).toMatch(/^warning ISOLATION_NOT_AVAILABLE/);
  const { stdout: json } = await withoutBubblewrap(cwd, ['plugin', 'p', '--json']);
  expect(JSON.parse(json)).toMatchObject({ ok: true, isolation: NONE, plugins: [{ isolation: NONE }] });
});
