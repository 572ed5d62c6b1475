import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { type RunResult as RunDocument, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('run-command');
});
afterEach(() => scratch.remove());

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runUnderstudy(['run', ...args], { cwd: scratch.path, env });

async function runJson(args: readonly string[]): Promise<RunDocument> {
  const { stdout } = await run([...args, '--json']);
  return runResultSchema.parse(JSON.parse(stdout));
}

describe.each(['sim', 'scripted'] as const)('on %s', (stage) => {
  beforeEach(async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
  });

  it('passes, says so in a line, and leaves no artifacts', async () => {
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() });
    const { code, stdout } = await run(['--stage', stage]);
    expect(stdout).toMatch(
      new RegExp(
        `^${stage}: claude${stage === 'sim' ? '' : ' \\d+\\.\\d+\\.\\d+'} · isolation: none\\n✓ a greeting claude ${stage} \\d+\\.\\d s\\n\\n1 passed in `,
      ),
    );
    expect(code).toBe(0);
    expect(existsSync(join(scratch.path, '.understudy/artifacts'))).toBe(false);
  });

  it('fails with step, check, expected, seen, what was said, and the command to run it again', async () => {
    writeFiles(scratch.path, { 'sub/a.rehearsal.toml': greeting({ expects: 'bicycle' }) });
    const { code, stdout } = await run(['--stage', stage]);
    expect(code).toBe(1);
    for (const part of [
      '✗ a greeting',
      'step 1: > hello there',
      '✗ keywords',
      'expected  any of "bicycle"',
      'seen      none of them',
      'the agent said:\n      Hello, I have a plan.',
      `again: understudy run sub/a.rehearsal.toml --agent claude --stage ${stage}`,
      '1 failed in',
    ]) {
      expect(stdout).toContain(part);
    }
    const [folder = ''] = /\.understudy\/artifacts\/\S+/.exec(stdout) ?? [];
    expect(readFileSync(join(scratch.path, folder, 'artifacts/events.jsonl'), 'utf8')).toContain('hello there');
  });

  it('fails on a rule that was never used, unless it is optional or allowed', async () => {
    const rule =
      '\n[[responses]]\nname = "the other"\npattern = { type = "contains", text = "bye" }\nresponse = "Bye."\n';
    writeFiles(scratch.path, {
      'a.rehearsal.toml': greeting({ name: 'unused' }) + rule,
      'b.rehearsal.toml': `${greeting({ name: 'optional' })}${rule}optional = true\n`,
      'c.rehearsal.toml': greeting({ name: 'allowed', more: 'allow_unused = true' }) + rule,
    });
    const { code, stdout } = await run(['--stage', stage]);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ unused');
    expect(stdout).toContain('seen      the other never did');
    expect(stdout).toContain('✓ optional');
    expect(stdout).toContain('✓ allowed');
  });

  it('fails on a request that nothing answers', async () => {
    const steps = '\n[[steps]]\nsend = "something else"\n[steps.expect]\noutcome = "failed"\n';
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() + steps });
    const { code, stdout } = await run(['--stage', stage]);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ every request is answered');
    expect(stdout).toContain('something else');
  });

  it('prints one JSON document with all that happened', async () => {
    writeFiles(scratch.path, {
      'a.rehearsal.toml': greeting(),
      'b.rehearsal.toml': greeting({ name: 'failing', expects: 'bicycle' }),
    });
    const result = await runJson(['--stage', stage]);
    expect(result).toMatchObject({ passed: false, counts: { passed: 1, failed: 1, errors: 0, skipped: 0, flaky: 0 } });
    expect(result.entries).toMatchObject([
      {
        ...{ file: 'a.rehearsal.toml', name: 'a greeting', agent: 'claude', stage, status: 'passed', attempts: 1 },
        steps: [{ number: 1, send: 'hello there', reached: true, said: 'Hello, I have a plan.' }],
      },
      { status: 'failed', artifacts: expect.stringContaining('.understudy') },
    ]);
    expect(result.entries[1]?.steps[0]?.checks).toMatchObject([
      { name: 'outcome', status: 'passed' },
      { name: 'keywords', status: 'failed', expected: 'any of "bicycle"' },
    ]);
  });

  it('holds a step against its snapshot, -u takes a new one, and CI writes none', async () => {
    const text = (answer: string) => `${greeting({ answer })}snapshot = true\n`;
    const file = join(scratch.path, '__snapshots__/a.claude.step-1.txt');
    writeFiles(scratch.path, { 'a.rehearsal.toml': text('A plan.') });
    const ci = await run(['--stage', stage], { CI: 'true' });
    expect(ci).toMatchObject({ code: 1, stdout: expect.stringContaining('there is no snapshot') });
    expect(existsSync(file)).toBe(false);
    expect(await run(['--stage', stage])).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('> hello there\nA plan.\n= completed\n');
    writeFiles(scratch.path, { 'a.rehearsal.toml': text('Another plan.') });
    const changed = await run(['--stage', stage]);
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringMatching(/-A plan\.[\s\S]*\+Another plan\./) });
    expect(await run(['--stage', stage, '-u'])).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('Another plan.');
  });
});

describe('what is run', () => {
  const three = {
    'a.rehearsal.toml': greeting({ name: 'first' }),
    'b.rehearsal.toml': greeting({ name: 'second', more: 'tags = ["slow"]' }),
    'c.rehearsal.toml': greeting({ name: 'third' }),
  };

  it('skips with the reason, and nothing that ran is no success', async () => {
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting({ more: 'skip = { sim = "needs a browser" }' }) });
    const skipped = await run(['--stage', 'sim']);
    expect(skipped.stdout).toContain('– a greeting needs a browser');
    expect(skipped.stdout).toContain('1 skipped in');
    expect(skipped.code).toBe(2);
    writeFiles(scratch.path, { 'b.rehearsal.toml': greeting({ name: 'other' }) });
    expect(await run(['--stage', 'sim'])).toMatchObject({ code: 0 });
    expect(await run(['--stage', 'sim', '--strict'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('FAILED: 1 of 2 rehearsals skipped, and --strict allows none'),
    });
  });

  it('repeats', async () => {
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() });
    const { entries } = await runJson(['--stage', 'sim', '--repeat', '3']);
    expect(entries.map(({ round, status }) => `${round} ${status}`)).toEqual(['1 passed', '2 passed', '3 passed']);
  });

  it('runs what failed last time, and nothing when nothing did', async () => {
    writeFiles(scratch.path, { ...three, 'b.rehearsal.toml': greeting({ name: 'second', expects: 'bicycle' }) });
    expect(await run(['--stage', 'sim'])).toMatchObject({ code: 1 });
    writeFiles(scratch.path, { 'b.rehearsal.toml': three['b.rehearsal.toml'] });
    const { entries } = await runJson(['./', '--stage', 'sim', '--last-failed']);
    expect(entries.map(({ name }) => name)).toEqual(['second']);
    const none = await run(['--stage', 'sim', '--last-failed']);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('NOTHING_TO_RUN') });
  });

  it('divides the work among shards', async () => {
    writeFiles(scratch.path, three);
    const shards = await Promise.all(['1/2', '2/2'].map((shard) => runJson(['--stage', 'sim', '--shard', shard])));
    expect(shards.map(({ entries }) => entries.map(({ name }) => name))).toEqual([['first', 'third'], ['second']]);
  });

  it('filters, and a filter that leaves nothing is an error', async () => {
    writeFiles(scratch.path, three);
    const { entries } = await runJson(['--stage', 'sim', '--grep', 'SLOW']);
    expect(entries.map(({ name }) => name)).toEqual(['second']);
    const none = await run(['--stage', 'sim', '--grep', 'zzz']);
    expect(none).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('nothing has "zzz"') });
    const json = await run(['--stage', 'sim', '--grep', 'zzz', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'NOTHING_TO_RUN' } });
  });

  it('takes a place as errors print it', async () => {
    writeFiles(scratch.path, three);
    const { entries } = await runJson(['b.rehearsal.toml:3:1', 'c.rehearsal.toml:2', '--stage', 'sim']);
    expect(entries.map(({ file }) => file)).toEqual(['b.rehearsal.toml', 'c.rehearsal.toml']);
    expect(await run(['z.rehearsal.toml:3'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('z.rehearsal.toml:3'),
    });
  });

  it.each([
    ['--retries', '2'],
    ['--threshold', '0.5'],
    ['--max-calls', '1'],
    ['--max-cost', '1'],
    ['--speed', '1'],
  ])('refuses %s, which would do nothing', async (...flag) => {
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() });
    const { code, stderr } = await run(['--stage', 'sim', ...flag]);
    expect(stderr).toContain(`error BAD_FLAG: ${flag[0]} does nothing on sim: `);
    expect(code).toBe(2);
  });

  it('keeps workspaces when it is asked to', async () => {
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting({ more: 'project.files = { "a.txt" = "x" }' }) });
    const { code, stdout } = await run(['--stage', 'sim', '--keep-workspace']);
    expect(code).toBe(0);
    const [folder = ''] = /\.understudy\/artifacts\/\S+/.exec(stdout) ?? [];
    expect(readdirSync(join(scratch.path, folder, 'project'))).toEqual(['a.txt']);
  });

  it.each([
    [['--stage', 'nowhere'], 'nowhere'],
    [['--shard', '3/2'], '3/2'],
    [['--repeat', '0'], 'whole number'],
    [['--watch', '--json'], 'cannot be used with'],
    [['none.rehearsal.toml'], 'FILE_NOT_FOUND'],
    [[], 'NOTHING_TO_RUN'],
  ])('cannot do its job with %j', async (args, why) => {
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  });

  it('tells every problem of a bad file, with its place', async () => {
    const text = greeting({ more: 'plugins = ["none"]' }).replace('keywords', 'suggests = "/a b"\nkeywords');
    writeFiles(scratch.path, { 'a.rehearsal.toml': text });
    const { code, stdout } = await run([]);
    expect(code).toBe(2);
    expect(stdout).toContain('a.rehearsal.toml:2:12');
    expect(stdout).toContain('there is no folder none beside the rehearsal');
    expect(stdout).toContain('a.rehearsal.toml:10:1 "/a b" is not the name of a command');
  });

  it('runs the others beside files that cannot be loaded, names each, and ends with 2', async () => {
    const wrong = greeting({ name: 'wrong' }).replace('keywords', 'kewords');
    writeFiles(scratch.path, { ...three, 'd.rehearsal.toml': wrong, 'e.rehearsal.toml': 'name = "half' });
    const { code, stdout, stderr } = await run(['--stage', 'sim']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    for (const part of [
      '✓ first',
      '✓ third',
      '! wrong',
      /d\.rehearsal\.toml:\d+:1 `kewords` is not a field here/,
      'fix: Change it to `keywords`',
      '! e.rehearsal.toml',
      /e\.rehearsal\.toml:1:\d+ this is not valid TOML/,
      'again: understudy run e.rehearsal.toml',
      '2 could not run',
    ]) {
      expect(stdout).toMatch(part);
    }
  });

  it('leaves out a broken file with --grep, and says so', async () => {
    writeFiles(scratch.path, { ...three, 'e.rehearsal.toml': 'name = "half' });
    const { code, stdout, stderr } = await run(['--stage', 'sim', '--grep', 'first']);
    expect(stderr).toBe('left out by --grep, though it cannot be loaded: e.rehearsal.toml\n');
    expect(stdout).toContain('1 passed in');
    expect(code).toBe(0);
  });

  it('lists what can be run beside what cannot be loaded', async () => {
    writeFiles(scratch.path, { ...three, 'e.rehearsal.toml': 'name = "half' });
    const list = await run(['--list']);
    expect(list).toMatchObject({ code: 2, stdout: expect.stringMatching(/first[\s\S]*third[\s\S]*\n3 to run\n/) });
    expect(list.stderr).toMatch(/e\.rehearsal\.toml:1:\d+ this is not valid TOML/);
    const json = await run(['--list', '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout).at(-1)).toMatchObject({
      file: 'e.rehearsal.toml',
      error: { code: 'DOCUMENT_SYNTAX', problems: [{ location: { line: 1 } }] },
    });
  });

  it('has a broken file in one shard, and the merged report', async () => {
    writeFiles(scratch.path, { ...three, 'd.rehearsal.toml': 'name = "half' });
    const codes = [];
    for (const index of [1, 2]) {
      const report = ['--reporter', `json=part-${index}.json`];
      codes.push((await run(['--stage', 'sim', '--shard', `${index}/2`, ...report])).code);
    }
    expect(codes).toEqual([0, 2]);
    const merged = await runUnderstudy(['report', 'merge', 'part-1.json', 'part-2.json', '--json'], {
      cwd: scratch.path,
    });
    const { counts, entries } = runResultSchema.parse(JSON.parse(merged.stdout));
    expect(counts).toMatchObject({ total: 4, errors: 1 });
    expect(entries[3]?.error?.problems).toHaveLength(1);
  });

  it('runs a mended file again with --last-failed', async () => {
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting(), 'b.rehearsal.toml': 'agent = "codex' });
    expect((await run(['--stage', 'sim'])).code).toBe(2);
    writeFiles(scratch.path, { 'b.rehearsal.toml': greeting({ name: 'mended', more: 'agent = "codex"' }) });
    const { entries } = await runJson(['--stage', 'sim', '--last-failed']);
    expect(entries).toMatchObject([{ name: 'mended', status: 'passed' }]);
    expect(await run(['--stage', 'sim', '--last-failed'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('tells an agent that is not there, and ends with 2', async () => {
    writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() });
    const { code, stdout } = await run(['--agent', 'claude@9.9.9'], { UNDERSTUDY_STORE: join(scratch.path, 'store') });
    expect(code).toBe(2);
    expect(stdout).toMatch(/! a greeting[\s\S]*AGENT_[\s\S]*fix: [\s\S]*1 could not run/);
    expect(stdout).not.toContain('diagnosis');
  });
});
