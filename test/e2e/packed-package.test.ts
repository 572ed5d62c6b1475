import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../helpers/understudy.js';

const folder = mkdtempSync(join(tmpdir(), 'understudy-packed-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** npm with the machine's own settings: it has to reach the registry. */
function npm(...args: string[]) {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => /^(npm_config_|NPM_CONFIG_|NODE_EXTRA_CA_CERTS|SSL_CERT|HTTPS?_PROXY)/i.test(name) && value,
  );
  return runProgram(['npm', ...args], { cwd: folder, env: Object.fromEntries(inherited) as Record<string, string> });
}

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packed = await npm('pack', '--ignore-scripts', '--json', '--pack-destination', folder, resolve('.'));
  expect(packed.code, packed.stderr).toBe(0);
  const [{ filename }] = Object.values(JSON.parse(packed.stdout)) as [{ filename: string }];
  const installed = await npm(
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    join(folder, filename.replace('@', '').replace('/', '-')),
  );
  expect(installed.code, installed.stderr).toBe(0);
});

it('gives a working npx understudy in an empty folder', async () => {
  writeFileSync(
    join(folder, 'hello.toml'),
    '[[responses]]\npattern = { type = "regex", pattern = "^hi (.*)" }\nresponse = "Hello {{1}}."\n',
  );
  const played = await runProgram(['npx', '--no-install', 'understudy', 'play', 'hello.toml'], {
    cwd: folder,
    input: 'hi you\n',
  });
  expect(played).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello you.') });
  const bad = await runProgram(['npx', '--no-install', 'understudy', 'check', 'none.toml'], { cwd: folder });
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('FILE_NOT_FOUND') });
});

it('can be imported, with its schema', async () => {
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { createSimulator } from 'agent-understudy';
import schema from 'agent-understudy/scenario.schema.json' with { type: 'json' };
const simulator = createSimulator({ responses: [{ pattern: { type: 'glob', pattern: 'a*' }, response: 'b' }] });
console.log(simulator.send('abc').text, schema.title);`,
  );
  const used = await runProgram([process.execPath, '--no-warnings', 'use.mjs'], { cwd: folder });
  expect(used).toMatchObject({ code: 0, stdout: 'b Understudy scenario\n' });
});
