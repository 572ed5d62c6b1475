import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram, runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const scratch = mkdtempSync(join(tmpdir(), 'understudy-cli-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(scratch, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const login = 'examples/scenarios/multi-turn.toml';

interface Sarif {
  ruleId: string;
  locations: [{ physicalLocation: { region: { startLine: number } } }];
}

it('prints its help and its version', async () => {
  for (const flag of ['--version', '-V', '-v']) {
    expect(await runUnderstudy([flag])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  }
  for (const args of [[], ['--help'], ['help'], ['play', '--help']]) {
    expect(await runUnderstudy(args), args.join(' ')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: understudy'),
    });
  }
});

it('offers the stage replay wherever a stage can be chosen', async () => {
  for (const command of ['run', 'exec']) {
    expect((await runUnderstudy([command, '--help'])).stdout.replace(/\s+/g, ' '), command).toContain('"replay"');
  }
  for (const file of ['docs/rehearsals.md', 'docs/vitest.md', 'docs/conversations.md', 'src/mcp/tools.schema.json']) {
    expect(readFileSync(file, 'utf8'), file).toContain('replay');
  }
});

it('refuses an unknown command, flag or missing argument with exit code 2 and a hint', async () => {
  expect(await runUnderstudy(['chek'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Did you mean check?'),
  });
  expect(await runUnderstudy(['check', '--jsno', login])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--json'),
  });
  expect(await runUnderstudy(['check'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing required argument 'paths'"),
  });
});

it.each([
  [['init', '--program', 'true', '--isolation', 'none'], '--isolation does nothing with --program'],
  [['init', '--program', 'true', '--no-start'], '--no-start does nothing with --program'],
  [
    ['exec', '--scenario', login, '--cassette', 'a.cassette.jsonl', '--', 'true'],
    '--cassette does nothing on scripted',
  ],
  [['exec', '--scenario', login, '--stage', 'sim', '--speed', '1', '--', 'true'], '--speed does nothing on sim'],
  [['e2e', '--list', '--grep', 'a', '--filter', 'b'], 'cannot be used with option'],
])('refuses a flag that would do nothing: %j', async (args, message) => {
  const { code, stderr } = await runUnderstudy(args);
  expect(stderr).toContain(message);
  expect(code).toBe(args[0] === 'exec' ? 125 : 2);
});

it('refuses an unknown subcommand where there is a default one, and names the nearest', async () => {
  expect(await runUnderstudy(['agents', 'ad'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/unknown command 'ad'\n\(Did you mean add\?\)/),
  });
  for (const command of [
    ['agents', 'updat'],
    ['queue', 'remove', 'x'],
  ]) {
    const { code, stderr } = await runUnderstudy(command);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown command '(?:updat|remove)'\n\((?:one of list, |Did you mean )/);
  }
  expect(await runUnderstudy(['agents', '--json'])).toMatchObject({ code: 0, stderr: '' });
});

it('takes every agent of a contract for a backend, and says that the suite for Ralph has not all', async () => {
  const contract = file('none.orchestrator.toml', 'run = ["true"]\nagents = ["codex"]\n');
  const { stderr } = await runUnderstudy(['e2e', 'codex', '--contract', contract, '--list']);
  expect(stderr).not.toContain('Allowed choices');
  const bare = await runUnderstudy(['e2e', 'gemini', '--loop', '--list']);
  expect(bare).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('BAD_FLAG: the suite for Ralph has no backend'),
  });
});

it('checks rehearsals in YAML and JSON as rehearsals, and finds them in folders', async () => {
  const rule = { pattern: { type: 'any' }, response: 'Hello.' };
  const text = (steps: unknown) => JSON.stringify({ responses: [rule], steps });
  file('mixed/a.rehearsal.json', text([{ send: 'hello' }]));
  file(
    'mixed/b.rehearsal.yaml',
    'responses:\n  - pattern: { type: any }\n    response: Hi.\nsteps:\n  - send: hello\n',
  );
  file('mixed/c.rehearsal.yml', text([{ sent: 'hello' }]));
  const { code, stdout } = await runUnderstudy(['check', file('mixed/d.json', '{}').replace(/d\.json$/, '')]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/a\.rehearsal\.json rehearsal, 1 step/);
  expect(stdout).toMatch(/b\.rehearsal\.yaml rehearsal, 1 step/);
  expect(stdout).toMatch(/c\.rehearsal\.yml rehearsal, 1 problem/);
});

it('reports every mistake of a file with its line, and fails with 1', async () => {
  const bad = file('bad.toml', '[[responses]]\npattern = { type = "contain", text = "x" }\nrespons = "y"\n');
  const { code, stdout } = await runUnderstudy(['check', bad]);
  expect(code).toBe(1);
  expect(stdout).toContain(`${bad}:1:1 this rule has neither a response nor a failure [NOTHING_TO_SAY]`);
  expect(stdout).toContain(`${bad}:2:13 \`type\` cannot be "contain" [UNKNOWN_VALUE]`);
  expect(stdout).toContain(`${bad}:3:1 \`respons\` is not a field here [UNKNOWN_FIELD]`);
  expect(stdout).toContain('fix: Change it to `response`');
  const scanned = await runUnderstudy(['check', bad, '--reporter', 'sarif']);
  expect(scanned.code).toBe(1);
  const { results } = JSON.parse(scanned.stdout).runs[0];
  expect(
    results.map(({ ruleId, locations: [place] }: Sarif) => [ruleId, place.physicalLocation.region.startLine]),
  ).toEqual([
    ['NOTHING_TO_SAY', 1],
    ['UNKNOWN_VALUE', 2],
    ['UNKNOWN_FIELD', 3],
  ]);
});

it('gives one JSON document, also for what it cannot do', async () => {
  const good = await runUnderstudy(['check', '--json', login]);
  expect(JSON.parse(good.stdout)).toMatchObject({
    ok: true,
    files: [{ file: login, ok: true, errors: [], warnings: [] }],
  });
  const missing = await runUnderstudy(['check', '--json', 'none.toml']);
  expect(missing).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(missing.stdout)).toMatchObject({ ok: false, error: { code: 'FILE_NOT_FOUND' } });
  const play = await runUnderstudy(['play', '--json', login], { input: 'login\nada\n' });
  expect(JSON.parse(play.stdout)).toMatchObject({
    ok: true,
    turns: [{ matched: 'responses[0]' }, { matched: 'responses[0].turns[0]' }],
  });
});

it('does not call a check of nothing a success', async () => {
  const empty = mkdtempSync(join(scratch, 'empty-'));
  expect(await runUnderstudy(['check', empty])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('NOTHING_TO_CHECK'),
  });
  expect(await runUnderstudy(['play', login])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('NOTHING_PLAYED'),
  });
});

it('lets warnings pass, unless it is strict', async () => {
  const odd = file('odd.toml', 'default_response = { thinking = "Hm." }\n');
  expect(await runUnderstudy(['check', odd])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('fix: Add `text`'),
  });
  expect(await runUnderstudy(['check', '--strict', odd])).toMatchObject({ code: 1 });
});

it('refuses a placeholder that does not exist', async () => {
  const odd = file('placeholder.toml', 'default_response = "{{promt}}"\n');
  expect(await runUnderstudy(['check', odd])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('fix: Write {{prompt}}'),
  });
});

it('fails with 1 when a played prompt has no answer, and names the nearest rule', async () => {
  const greeting = file(
    'greeting.toml',
    '[[responses]]\npattern = { type = "contains", text = "good morning" }\nresponse = "hi"\n',
  );
  const { code, stdout } = await runUnderstudy(['play', greeting], { input: 'good mornign\n' });
  expect(code).toBe(1);
  expect(stdout).toContain('Change the pattern of the nearest rule, responses[0] (contains "good morning")');
});

it('ends quietly when nobody reads its output any more', async () => {
  const many = 'hello\n'.repeat(20_000);
  const input = file('many.txt', many);
  const { code, stderr, stdout } = await runProgram([
    'sh',
    '-c',
    `"${process.execPath}" "${UNDERSTUDY}" play ${login} < "${input}" | head -n 2`,
  ]);
  expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 3 });
});

it('is ended by an interrupt in the middle', async () => {
  const child = spawn(process.execPath, [UNDERSTUDY, 'play', login], { env: { PATH: process.env['PATH'] ?? '' } });
  child.stdin.write('hello\n');
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGINT');
  const signal = await new Promise((resolve) => child.on('close', (code, by) => resolve(code ?? by)));
  expect([130, 'SIGINT']).toContain(signal);
});

it('uses no color when piped, in CI neither', async () => {
  const { stdout } = await runProgram([process.execPath, UNDERSTUDY, 'play', login], {
    input: 'hello\n',
    env: { NO_COLOR: '', CI: 'true', FORCE_COLOR: '' },
  });
  expect(stdout).not.toContain('\u001B');
});

it('examines the machine', async () => {
  const { code, stdout } = await runUnderstudy(['doctor', '--json']);
  const { ok, findings } = JSON.parse(stdout);
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  expect(findings.map((finding: { name: string }) => finding.name)).toEqual(
    expect.arrayContaining(['node', 'git', 'claude', 'kiro']),
  );
});

it('says what it cannot do without', async () => {
  const { code, stdout } = await runProgram([process.execPath, UNDERSTUDY, 'doctor'], { env: { PATH: scratch } });
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ git +not found/);
});
