import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { greeting } from '../helpers/rehearsal-files.js';
import { runInlineTests, writeInlineFiles } from '../helpers/run-inline-tests.js';
import { runProgram } from '../helpers/understudy.js';
import { untilHolds } from '../helpers/until-holds.js';

const scratch = createScratch('vitest-rehearsals');
afterAll(() => scratch.remove());

const VITEST = resolve('node_modules/vitest/vitest.mjs');

const config = (
  options = "{ stage: 'sim' }",
  test = '',
) => `import { rehearsals } from 'agent-understudy/vitest/plugin';
export default { server: { fs: { strict: false } }, plugins: [rehearsals(${options})], test: { ${test} } };
`;

const example = (ending: string) => readFileSync(`examples/formats/door.rehearsal.${ending}`, 'utf8');

it('makes a test of each entry of rehearsal files, whose failures point at their lines', async () => {
  const folder = join(scratch.path, 'whole');
  const { code, tests } = await runInlineTests(folder, {
    'vitest.config.mjs': config(),
    'a.test.js': "import { test } from 'vitest';\ntest('usual', () => {});\n",
    'door.rehearsal.json': example('json'),
    'door.rehearsal.mjs': example('mjs'),
    'door.rehearsal.yaml': example('yaml'),
    'two.rehearsal.toml': greeting({ name: 'two agents', more: 'agent = ["claude", "codex"]' }),
    'rows.rehearsal.toml': greeting({
      name: 'rows',
      expects: '{{want}}',
      more: 'each = [{ want = "plan" }, { want = "Hello" }]',
    }),
    'skipped.rehearsal.toml': greeting({ name: 'skipped', more: 'skip = { sim = "needs a browser" }' }),
    'known.rehearsal.toml': greeting({ name: 'known', expects: 'never said', more: 'expected_failure = "issue 7"' }),
    'red/a.rehearsal.toml': greeting({ name: 'red', expects: 'never said' }),
    'red/b.rehearsal.mjs': example('mjs').replace("says: 'open'", "says: 'shut'"),
    'broken/a.rehearsal.toml': 'name = "broken"\nstepz = 1\n',
    'broken/b.rehearsal.mjs': 'export default { steps: [{ send: 1n }] };',
  });
  expect(code).toBe(1);
  const told = tests.map(({ file, title, status }) => `${file} ${title}: ${status}`).sort();
  expect(told).toEqual([
    'a.test.js usual: passed',
    'broken/a.rehearsal.toml broken: failed',
    'broken/b.rehearsal.mjs b.rehearsal.mjs: failed',
    'door.rehearsal.json the door is open: passed',
    'door.rehearsal.mjs the door is open: passed',
    'door.rehearsal.yaml the door is open: passed',
    'known.rehearsal.toml known: passed',
    'red/a.rehearsal.toml red: failed',
    'red/b.rehearsal.mjs the door is open: failed',
    'rows.rehearsal.toml rows [Hello]: passed',
    'rows.rehearsal.toml rows [plan]: passed',
    'skipped.rehearsal.toml skipped: skipped',
    'two.rehearsal.toml two agents [claude]: passed',
    'two.rehearsal.toml two agents [codex]: passed',
  ]);
  const message = (file: string) => tests.find((test) => test.file === file)?.message ?? '';
  expect(message('red/a.rehearsal.toml')).toContain(
    'step 1, keywords: expected any of "never said", seen none of them',
  );
  expect(message('red/a.rehearsal.toml')).toContain('the agent said:\nHello, I have a plan.');
  expect(message('red/a.rehearsal.toml')).toMatch(/\n {4}at .*\/red\/a\.rehearsal\.toml:10:14/);
  expect(message('red/b.rehearsal.mjs')).toMatch(/\n {4}at .*\/red\/b\.rehearsal\.mjs:18:1/);
  expect(message('broken/a.rehearsal.toml')).toContain(
    '`stepz` is not a field here [UNKNOWN_FIELD]\nfix: Change it to `steps`.',
  );
  expect(message('broken/a.rehearsal.toml')).toMatch(/\n {4}at .*\/broken\/a\.rehearsal\.toml:2:1/);
  expect(message('broken/b.rehearsal.mjs')).toContain('steps[0].send: `send` is a bigint, and a rehearsal is data');
});

it('plays the example', async () => {
  const { code, stdout } = await runProgram([process.execPath, VITEST, 'run'], { cwd: 'examples/vitest-rehearsals' });
  expect(stdout).toMatch(/Tests +2 passed/);
  expect(code).toBe(0);
});

it('knows the tests and their lines before anything runs, filters them, and refuses options that it does not have', async () => {
  const folder = join(scratch.path, 'list');
  writeInlineFiles(folder, {
    'vitest.config.mjs': config(undefined, "include: ['one.rehearsal.*']"),
    'one.rehearsal.toml': `\n\n${greeting({ name: 'one' })}`,
    'other.rehearsal.toml': greeting({ name: 'other' }),
  });
  const run = (...args: string[]) => runProgram([process.execPath, VITEST, ...args], { cwd: folder });
  const { stdout } = await run('list', '--static-parse', '--json');
  expect(JSON.parse(stdout)).toEqual([
    { name: 'one', file: join(folder, 'one.rehearsal.toml'), location: { line: 3, column: 0 } },
  ]);
  expect((await run('run', '-t', 'no such')).stdout).toContain('1 skipped');
  writeFileSync(join(folder, 'vitest.config.mjs'), config("{ agents: 'claude' }"));
  const { code, stderr } = await run('run');
  expect(code).toBe(1);
  expect(stderr).toContain('the options of rehearsals has a problem');
}, 120_000);

it('runs a rehearsal again that changed, or whose module or plugin did', async () => {
  const root = join(scratch.path, 'watch');
  writeInlineFiles(root, {
    'vitest.config.mjs': config(undefined, "maxWorkers: 1, reporters: ['verbose']"),
    'a.rehearsal.toml': greeting({ name: 'plain' }),
    'b.rehearsal.mjs':
      "import { name } from './name.mjs'; export default { name, default_response: 'ok', plugins: ['plugin'], steps: [{ send: 'x' }] };",
    'name.mjs': "export const name = 'module one';",
    'plugin/.claude-plugin/plugin.json': '{ "name": "greeter" }\n',
  });
  const child = spawn(process.execPath, [VITEST, '--watch'], {
    ...{ cwd: root, stdio: ['pipe', 'pipe', 'pipe'] },
    env: { PATH: process.env['PATH'] ?? '', HOME: scratch.path, NO_COLOR: '1', UNDERSTUDY_ISOLATION: 'none' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk);
    });
  }
  const ran = (text: string, times = 1) =>
    untilHolds(() => output.split(text).length > times, `${text}, ${times} times: ${output}`);
  try {
    await ran('for file changes');
    writeFileSync(join(root, 'a.rehearsal.toml'), greeting({ name: 'changed', expects: 'never said' }));
    await ran('× a.rehearsal.toml > changed');
    await ran('for file changes', 2);
    writeFileSync(join(root, 'name.mjs'), "export const name = 'module two';");
    await ran('✓ b.rehearsal.mjs > module two');
    writeFileSync(join(root, 'plugin', 'notes.md'), 'changed');
    await ran('✓ b.rehearsal.mjs > module two', 2);
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}, 120_000);
