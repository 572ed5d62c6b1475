import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { runProgram, runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('own-suites');
afterAll(() => scratch.remove());

/** A project in which the package is installed. */
function project(name: string, files: Record<string, string>): string {
  const folder = join(scratch.path, name);
  writeFiles(folder, files);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules/agent-understudy'));
  return folder;
}

/** The smallest example, with some files changed. */
function reviews(name: string, changed: Record<string, (text: string) => string> = {}): string {
  const folder = project(name, {});
  for (const file of ['reviews.mjs', 'review.sh', 'verdicts.cases.json', 'understudy.toml'])
    cpSync(resolve('examples/own-parts', file), join(folder, file));
  for (const [file, change] of Object.entries(changed)) {
    const before = readFileSync(join(folder, file), 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFiles(folder, { [file]: after });
  }
  return folder;
}

/** A suite with one entry that lists itself. */
const suite = (play: string, more = '', entries = "[{ name: 'one', data: { n: 1 } }]") =>
  `import { defineSuite } from 'agent-understudy';
export default defineSuite({ name: 'mine', entries: ${entries}, ${more} play: ${play} });`;

const PASSED = `{ name: 'it', passed: true, expected: 'x', seen: 'x' }`;
const SIM = ['run', '--stage', 'sim', '--reporter', 'list,json=result.json'];

function resultIn(cwd: string): RunResult {
  return JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as RunResult;
}

it('entries of a suite stand in a run beside rehearsals: on the real agent, listed, chosen and cut', async () => {
  const cwd = reviews('green');
  writeFiles(cwd, { 'a.rehearsal.toml': greeting() });
  const listed = await runUnderstudy(['run', '--list', '--grep', '@reviews and not good'], { cwd });
  expect(listed.stdout).toBe('a bad review claude scripted verdicts.cases.json @reviews\n\n1 to run\n');
  const shard = await runUnderstudy(['run', '--list', '--shard', '2/2', 'verdicts.cases.json'], { cwd });
  expect(shard.stdout).toContain('1 to run');
  const run = await runUnderstudy(['run', '--reporter', 'list,json=result.json'], { cwd });
  expect(run.stdout, run.stderr).toContain('4 passed');
  expect(run.code).toBe(0);
  const { entries } = resultIn(cwd);
  expect(entries.map(({ name, file }) => [name, file])).toEqual([
    ['a greeting', 'a.rehearsal.toml'],
    ...['a good review', 'a bad review', 'no verdict is not good'].map((name) => [name, 'verdicts.cases.json']),
  ]);
  // What was called is in the result, and in the log that the page shows.
  const [, good] = entries;
  expect(good?.steps[0]?.run?.calls).toMatchObject([{ agent: 'claude', prompt: expect.stringContaining('APPROVED') }]);
  const stored = await runUnderstudy(['report', 'show', '--reporter', 'agent'], { cwd });
  expect(stored.code).toBe(0);
  const checked = await runUnderstudy(['check', '.'], { cwd });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('verdicts.cases.json suite, 3 entries') });
});

it('its checks are red for the right reason, at the file, in every report', async () => {
  const cwd = reviews('red', { 'review.sh': (text) => text.replace('tail -n 1', 'cat') });
  const args = ['--reporter', 'junit=result.xml', '--grep', 'a bad review', 'verdicts.cases.json'];
  const { code, stdout } = await runUnderstudy([...SIM, ...args], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /✗ one line\n +at verdicts\.cases\.json\n[\s\S]*seen +Tests are missing\.\n +REJECTED\n +fix +Print the last line/,
  );
  expect(stdout).toContain(
    "again: understudy run verdicts.cases.json --grep '[a bad review]' --agent claude --stage sim",
  );
  expect(readFileSync(join(cwd, 'result.xml'), 'utf8')).toContain('one line');
  const again = await runUnderstudy([...SIM, '--last-failed'], { cwd });
  expect(again.stdout).toContain('1 failed');
});

it('what nobody asked for is red all the same: a rule that was never used, a prompt without answer, a refusal of sim', async () => {
  const own = (scenario: string, line = "claude -p 'hi'") => `async (entry, tools) => {
    await tools.runProgram(${JSON.stringify(line)}, { scenario: ${scenario} });
    return [${PASSED}];
  }`;
  const cwd = project('unasked', {
    'unused.mjs': suite(
      own(`{ default_response: 'x', responses: [{ pattern: { type: 'exact', text: 'y' }, response: 'z' }] }`),
    ),
    'unanswered.mjs': suite(
      own(`{ responses: [{ pattern: { type: 'exact', text: 'y' }, response: 'z', optional: true }] }`),
    ),
    'refused.mjs': suite(own(`{ default_response: 'x' }`, 'claude plugin list')),
    'talk.mjs': suite(`async (entry, tools) => {
      const conversation = await tools.startConversation({ scenario: { responses: [
        { pattern: { type: 'exact', text: 'hi' }, response: 'Hello.' }, { pattern: { type: 'exact', text: 'y' }, response: 'z' } ] } });
      return tools.checkTurn(await conversation.send('hi'), { says: 'Goodbye' });
    }`),
    'understudy.toml': 'suites = ["./unused.mjs", "./unanswered.mjs", "./refused.mjs", "./talk.mjs"]\n',
  });
  const { code } = await runUnderstudy(SIM, { cwd });
  const red = resultIn(cwd).entries.map(({ file, checks }) => [
    file,
    checks.filter(({ status }) => status !== 'passed').map(({ name }) => name),
  ]);
  expect(red).toEqual([
    ['unused.mjs', ['every rule is used']],
    ['unanswered.mjs', ['every request is answered']],
    ['refused.mjs', ['unsupported']],
    ['talk.mjs', ['says', 'every rule is used']],
  ]);
  expect(code).toBe(1);
  expect(resultIn(cwd).entries[3]?.steps).toMatchObject([{ send: 'hi', said: 'Hello.' }]);
});

const entriesOf = (entries: string, files = "'*.x.json'") =>
  `import { defineSuite } from 'agent-understudy';
export default defineSuite({ name: 'mine', files: ${files}, entries: ${entries}, play: () => [${PASSED}] });`;

const BROKEN: [name: string, module: string | undefined, message: RegExp][] = [
  ['absent', undefined, /PART_UNUSABLE: there is no file absent\.mjs for a suite/],
  ['syntax', 'export default {', /PART_UNUSABLE: the suite syntax\.mjs cannot be imported/],
  ['throws', 'throw new Error("no lamp");', /PART_UNUSABLE: the suite throws\.mjs cannot be imported: no lamp/],
  ['waits', 'await new Promise(() => {}); export default 1;', /PART_UNUSABLE: the suite waits\.mjs cannot be imported/],
  ['leaves', 'process.exit(0);', /PART_UNUSABLE: the suite leaves\.mjs cannot be imported: it called process\.exit/],
  ['none', 'export const x = 1;', /PART_UNUSABLE: none\.mjs has no default export/],
  ['plain', 'export default { name: "x" };', /PART_UNUSABLE: plain\.mjs exports no suite/],
  ['agent', 'export default { understudy: "agent/1" };', /PART_UNUSABLE: agent\.mjs exports no suite/],
  ['newer', 'export default { understudy: "suite/2" };', /PART_UNUSABLE: newer\.mjs was made for API 2/],
  ['field', suite(`() => []`, 'file: 3,'), /PART_UNUSABLE: the suite field\.mjs cannot be used: .*`file`/],
  ['ending', entriesOf('() => []', "'cases/*.json'"), /`files` cannot be "cases\/\*\.json"/],
  ['theirs', entriesOf('() => []', "'*.rehearsal.json'"), /`files` cannot be "\*\.rehearsal\.json"/],
  ['list', entriesOf('[{ name: "x" }]'), /it has `files`, and `entries` does not read them/],
  ['empty', suite('() => []', '', '[]'), /has no entries, so nothing is tested/],
  ['twice', suite('() => []', '', '[{ name: "a" }, { name: "a" }]'), /have the name "a"/],
  ['unplain', suite('() => []', '', '[{ name: "a", data: () => 3 }]'), /entry 1 of unplain\.mjs/],
  ['unknown', suite('() => []', '', '[{ name: "a", agent: "claud" }]'), /AGENT_UNKNOWN|claud/],
  [
    'fails',
    suite('async () => { throw new Error("no lamp"); }'),
    /PART_FAILED: the suite fails\.mjs failed in play\(\) of "one": no lamp/,
  ],
  [
    'endless',
    suite('() => new Promise(() => {})', 'timeoutMs: 100,'),
    /PART_FAILED: .*endless\.mjs failed in play\(\) of "one": it had not ended after 0\.1 s/,
  ],
  ['exits', suite('async () => { await null; process.exit(0); }'), /PART_FAILED: .*it called process\.exit\(0\)/],
  ['nothing', suite('() => {}'), /PART_FAILED: .*nothing\.mjs gave in play\(\) of "one" no list of checks/],
  [
    'checkless',
    suite('() => []'),
    /PART_FAILED: .*checkless\.mjs gave in play\(\) of "one" no check, so nothing is proven/,
  ],
  [
    'nonsense',
    suite('() => [{ name: "x", passed: "yes" }]'),
    /PART_FAILED: .*nonsense\.mjs gave .* what cannot be shown: check 1/,
  ],
];

it('a suite that cannot be used, or fails itself, is an error with its place and a fix, and never green', async () => {
  const modules = BROKEN.map(([name]) => `./${name}.mjs`);
  const cwd = project('broken', {
    'a.rehearsal.toml': greeting(),
    'understudy.toml': `suites = ${JSON.stringify(['./good.mjs', ...modules])}\n`,
    // A timer that nobody stops does not keep the run from its end.
    'good.mjs': suite(`() => { setInterval(() => {}, 1000); return [${PASSED}]; }`),
    'x.x.json': '[]',
    ...Object.fromEntries(BROKEN.flatMap(([name, text]) => (text === undefined ? [] : [[`${name}.mjs`, text]]))),
  });
  const { code, stdout } = await runUnderstudy([...SIM, '.'], { cwd });
  expect(code).toBe(2);
  // What is sound runs.
  expect(stdout).toContain(`2 passed, ${BROKEN.length} could not run`);
  const { entries } = resultIn(cwd);
  for (const [name, , message] of BROKEN) {
    const error = entries.find(({ file }) => file === `${name}.mjs`)?.error;
    expect(`${error?.code}: ${error?.message}`, name).toMatch(message);
    expect(error?.fix, name).toMatch(/^[A-Z]/);
  }
  // Whatever is run: nobody knows which files are theirs.
  const elsewhere = await runUnderstudy(['run', '--list', 'a.rehearsal.toml'], { cwd });
  expect(elsewhere.code).toBe(2);
  const checked = await runUnderstudy(['check', '.'], { cwd });
  expect([checked.code, checked.stdout]).toEqual([2, expect.stringContaining('plain.mjs exports no suite')]);
});

it('what a suite makes of its files is told with the file: a mistake in one, one without entries, one of two suites', async () => {
  const reads = entriesOf('({ document }) => document.map((name) => ({ name }))');
  const cwd = project('files', {
    'understudy.toml': 'suites = ["./one.mjs", "./two.mjs"]\n',
    'one.mjs': reads,
    'two.mjs': reads.replace('*.x.json', '*.y.x.json'),
    'a.x.json': '["good"]',
    'b.x.json': '["good",',
    'c.x.json': '[]',
    'd.x.json': '{}',
    'e.y.x.json': '["good"]',
  });
  const { code } = await runUnderstudy(SIM, { cwd });
  expect(code).toBe(2);
  const told = resultIn(cwd).entries.map(({ file, status, error }) => [file, status, error?.code ?? '']);
  expect(told).toEqual([
    ['a.x.json', 'passed', ''],
    ['b.x.json', 'error', 'DOCUMENT_SYNTAX'],
    ['c.x.json', 'error', 'PART_UNUSABLE'],
    ['d.x.json', 'error', 'PART_FAILED'],
    ['e.y.x.json', 'passed', ''],
    ['e.y.x.json', 'error', 'PART_UNUSABLE'],
  ]);
  // The module stands for its files.
  const named = await runUnderstudy(['run', '--list', 'two.mjs'], { cwd });
  expect(named.stdout).toBe('good claude scripted e.y.x.json @mine\n\n1 to run\n');
});

it('is refused where it is not played: by the queue, on live and replay', async () => {
  const cwd = reviews('refused');
  const queued = await runUnderstudy(['run', '--queue', 'postgres://nowhere/x'], { cwd });
  expect(queued).toMatchObject({ code: 2, stderr: expect.stringMatching(/"a good review" is of a suite of yours/) });
  const replay = await runUnderstudy(['run', '--stage', 'replay'], { cwd });
  expect(replay.stdout).toContain('suites are played on sim and scripted');
  expect(replay.code).toBe(2);
});

it('goes on after it was killed, and not with another suite', async () => {
  const play = `async ({ data }) => {
    if (data.n === 2 && !existsSync(${JSON.stringify(join(scratch.path, 'go'))})) await new Promise(() => setInterval(() => {}, 1000));
    return [${PASSED}];
  }`;
  const entries = "[{ name: 'one', data: { n: 1 } }, { name: 'two', data: { n: 2 } }]";
  const two = `import { existsSync } from 'node:fs';\n${suite(play, '', entries)}`;
  const cwd = project('killed', { 'understudy.toml': 'suites = ["./two.mjs"]\n', 'two.mjs': two });
  const running = startUnderstudy([...SIM, '--workers', '1'], { cwd });
  await running.says(/✓ one/);
  running.signal('SIGKILL');
  await running.exited;
  writeFiles(scratch.path, { go: '' });
  writeFiles(cwd, { 'two.mjs': `${two}\n` });
  const changed = await runUnderstudy([...SIM, '--resume', '--workers', '1'], { cwd });
  expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('the files of two.mjs [one] claude sim') });
  writeFiles(cwd, { 'two.mjs': two });
  const resumed = await runUnderstudy([...SIM, '--resume', '--workers', '1'], { cwd });
  expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining('resume: 1 of 2 had ended') });
});

it('ends at Ctrl-C, with what it has started', async () => {
  const cwd = project('interrupted', {
    'understudy.toml': 'suites = ["./mine.mjs"]\n',
    'mine.mjs': suite(`async (entry, tools) => {
      const result = await tools.runProgram('echo $$ > ${join(scratch.path, 'pid')}; sleep 1000', { scenario: {} });
      return [{ name: 'ended', passed: true, expected: 'x', seen: String(result.signal) }];
    }`),
  });
  const running = startUnderstudy(SIM, { cwd });
  await expect.poll(() => existsSync(join(scratch.path, 'pid'))).toBe(true);
  running.signal('SIGINT');
  expect(await running.exited).toBe(130);
  const pid = readFileSync(join(scratch.path, 'pid'), 'utf8').trim();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

it('is watched: a changed file plays its entries again, a changed suite all of them', async () => {
  const passing = entriesOf('({ document }) => document.map((name) => ({ name }))');
  const cwd = project('watched', {
    'understudy.toml': 'suites = ["./mine.mjs"]\n',
    'mine.mjs': passing,
    'a.x.json': '["first"]',
    'b.x.json': '["second"]',
  });
  const running = startUnderstudy(['run', '--stage', 'sim', '--watch'], { cwd });
  const waits = /watching; Ctrl-C ends/;
  try {
    expect(await running.says(waits)).toContain('2 passed');
    writeFiles(cwd, { 'a.x.json': '["changed"]' });
    const changed = await running.says(waits);
    expect(changed).toContain('✓ changed');
    expect(changed).toContain('1 passed');
    writeFiles(cwd, { 'mine.mjs': passing.replace('passed: true', 'passed: false') });
    expect(await running.says(waits)).toContain('2 failed');
    writeFiles(cwd, { 'mine.mjs': 'export default {' });
    expect(await running.says(waits)).toContain('could not run');
    writeFiles(cwd, { 'mine.mjs': passing });
    expect(await running.says(waits)).toContain('2 passed');
    writeFiles(cwd, { 'new.x.json': '["new"]' });
    expect(await running.says(waits)).toContain('✓ new');
  } finally {
    running.signal('SIGINT');
    await running.exited;
  }
});

it.skipIf(await sandboxProblem())('an attempt to leave the sandbox is red, unless the suite allows it', async () => {
  const play = `async (entry, tools) => {
    await tools.runProgram('claude -p hi; cat ${join(homedir(), '.ssh/id_rsa')}', { scenario: { default_response: 'x' } });
    return [${PASSED}];
  }`;
  const cwd = project('escapes', {
    'understudy.toml': 'suites = ["./red.mjs", "./allowed.mjs"]\n',
    'red.mjs': suite(play),
    'allowed.mjs': suite(play, "escapes: 'any',"),
  });
  const { code } = await runUnderstudy([...SIM, '--isolation', 'sandbox'], { cwd });
  expect(code).toBe(1);
  const statuses = resultIn(cwd).entries.map(({ file, checks }) => [file, ...checks.map(({ name }) => name)]);
  expect(statuses).toEqual([
    ['red.mjs', 'it', 'escapes'],
    ['allowed.mjs', 'it'],
  ]);
});

it('is run from a program', async () => {
  const cwd = reviews('program');
  writeFiles(cwd, {
    'main.mjs': `import { runRehearsals } from 'agent-understudy';
const run = await runRehearsals('.', { stage: 'sim', suites: ['./reviews.mjs'], output: 'out' });
console.log(run.entries.map(({ name, status }) => name + ': ' + status).join('\\n'));`,
  });
  const { stdout, stderr } = await runProgram([process.execPath, 'main.mjs'], { cwd });
  expect(stdout || stderr).toBe('a good review: passed\na bad review: passed\nno verdict is not good: passed\n');
});
