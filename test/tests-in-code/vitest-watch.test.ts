import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { writeInlineFiles } from '../helpers/run-inline-tests.js';
import { untilHolds } from '../helpers/until-holds.js';

let scratch: Scratch;

beforeEach(() => {
  scratch = createScratch('vitest-watch');
});

afterEach(() => scratch.remove());

const testOf = (name: string, options: string) => `import { appendFileSync } from 'node:fs';
import { test } from 'agent-understudy/vitest';
test.override({ stage: 'sim', options: { inProcess: true }, scenario: './${name}.toml', ${options} });
test('answers', async ({ conversation }) => {
  const { text } = await conversation.send('hello');
  appendFileSync('../runs', '${name}: ' + text + '\\n');
});
`;

it('runs the tests again that read a scenario or plugin that changed', async () => {
  const root = join(scratch.path, 'tests');
  writeInlineFiles(root, {
    'vitest.config.mjs': `export default {
  test: { globalSetup: ['agent-understudy/vitest/setup'], provide: { agents: [] }, pool: 'threads', maxWorkers: 1 },
};\n`,
    'a.test.ts': testOf('a', "plugins: ['../plugin']"),
    'b.test.ts': testOf('b', ''),
    'a.toml': 'default_response = "first"\n',
    'b.toml': 'default_response = "first"\n',
    '../plugin/.claude-plugin/plugin.json': '{ "name": "greeter" }\n',
  });
  const file = join(scratch.path, 'runs');
  const runs = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').sort() : []);
  const child = spawn(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), '--watch'], {
    ...{ cwd: root, stdio: ['pipe', 'pipe', 'pipe'] },
    env: { PATH: process.env['PATH'] ?? '', HOME: scratch.path, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk);
    });
  }
  try {
    await untilHolds(() => output.includes('Waiting for file changes'), `Vitest waits: ${output}`);
    expect(runs(), output).toEqual(['a: first', 'b: first']);
    writeFileSync(join(root, 'a.toml'), 'default_response = "second"\n');
    await untilHolds(() => runs().includes('a: second'), 'a changed scenario runs its test again');
    // It is outside the root of Vite, which begins to watch it at some time after the first run.
    let change = 0;
    await untilHolds(() => {
      writeFileSync(join(scratch.path, 'plugin', 'notes.md'), String(++change));
      return runs().filter((run) => run === 'a: second').length > 1;
    }, 'a changed plugin runs its test again');
    expect(runs().filter((run) => run.startsWith('b'))).toEqual(['b: first']);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}, 90_000);
