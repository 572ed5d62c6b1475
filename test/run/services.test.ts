import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('services');
afterAll(() => scratch.remove());

it.for(['sim', 'scripted'])('plays the example on %s, and leaves nothing', async (stage, context) => {
  if (stage === 'scripted') await realAgent('claude', context);
  const output = join(scratch.path, stage);
  const args = ['run', 'examples/services', '--stage', stage, '--keep-workspace', '--json', '--output', output];
  const { stdout } = await runUnderstudy(args);
  const { entries } = JSON.parse(stdout) as RunResult;
  expect(entries, stdout).toMatchObject([{ status: 'passed' }]);
  const [{ artifacts = '', checks = [], steps = [] } = {}] = entries;
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['before 1: exit code', 'after 1: exit code', 'service board']),
  );
  expect(readFileSync(join(artifacts, 'artifacts/services/board.log'), 'utf8')).toBe('the board is open\n');
  const [, url = ''] = /(http:\S+):/.exec(steps[0]?.send ?? '') ?? [];
  await expect(fetch(url)).rejects.toThrow();
});

const LISTEN = `require('http').createServer((q, r) => q.url === '/end' ? process.exit(3) : r.writeHead(q.url === '/' ? 404 : 200).end('up')).listen(process.env.PORT, '127.0.0.1')`;
const service = (more = '', code = LISTEN) =>
  `[[services]]\nname = "api"\nrun = ["node", "-e", ${JSON.stringify(code)}]\n${more}`;
const step = (run: string) => `[[steps]]\nrun = ${JSON.stringify(run)}\n`;

it('is red or an error where something around the steps goes wrong', async () => {
  const cwd = join(scratch.path, 'wrong');
  const mark = (name: string) => `[[after]]\nrun = "touch {{here}}/${name}"\n`;
  writeFiles(cwd, {
    'after.rehearsal.toml': `${step('true')}[[after]]\nrun = "echo still there; exit 4"\n`,
    'before.rehearsal.toml': `${step('touch {{here}}/played')}[[before]]\nrun = "echo no disk; exit 5"\n${mark('cleared')}`,
    'dies.rehearsal.toml': `${service('ready = { http = "/health" }\n')}${step('curl -s {{api.url}}/end; true')}`,
    'failed.rehearsal.toml': `${step('exit 1')}${mark('after-failed')}`,
    'leaves.rehearsal.toml': `${step('true')}[[before]]\nrun = "sleep 60 &"\n`,
    'never.rehearsal.toml': `${service('ready = { http = "/" }\ntimeout_ms = 400\n')}${step('true')}`,
    'quits.rehearsal.toml': `${service('', "console.log('no database'); process.exit(1)")}${step('true')}`,
  });
  const { code, stdout } = await runUnderstudy(['run', '--stage', 'sim', '--json'], { cwd });
  expect(code).toBe(2);
  const { entries } = JSON.parse(stdout) as RunResult;
  const seen = Object.fromEntries(
    entries.map(({ name, status, error, steps, checks }) => [
      name.replace('.rehearsal.toml', ''),
      [
        status,
        error?.code,
        error?.message.split('\n').at(-1),
        ...[...steps.flatMap((one) => one.checks), ...checks]
          .filter((check) => check.status !== 'passed')
          .map((check) => `${check.name}: ${check.actual} :${check.defined_at?.line}`),
      ].filter((one) => one !== undefined),
    ]),
  );
  expect(seen).toEqual({
    after: ['failed', 'after 1: exit code: exit code 4 :3'],
    before: ['error', 'BEFORE_FAILED', 'no disk'],
    dies: ['failed', 'service api: it has ended :1'],
    failed: ['failed', 'exit code: exit code 1 :1'],
    leaves: ['error', 'BEFORE_FAILED', expect.stringContaining('seen sleep 60')],
    never: ['error', 'WORKSPACE_SERVER_SILENT', expect.stringContaining('was not ready within 400 ms')],
    quits: ['error', 'WORKSPACE_SERVER_ENDED', 'no database'],
  });
  expect(['played', 'cleared', 'after-failed'].map((file) => existsSync(join(cwd, file)))).toEqual([false, true, true]);
});

it('refuses services that cannot be told apart, and addresses that nobody has', async () => {
  const cwd = join(scratch.path, 'refused');
  const text = `${service()}${service('port = 12345\n')}${step('curl {{apo.url}}')}[[services]]\nname = "anthropic"\nrun = "x"\n`;
  writeFiles(cwd, { 'a.rehearsal.toml': text });
  const { code, stdout, stderr } = await runUnderstudy(['check', '.'], { cwd });
  expect(code).toBe(1);
  const told = stdout + stderr;
  expect(told).toContain('another service has the variable API_URL, too');
  expect(told).toMatch(/there is no service for `\{\{apo\.url\}\}`[\s\S]*Change it to "api"/);
  expect(told).toContain('`ANTHROPIC_URL` is set by Understudy');
});
