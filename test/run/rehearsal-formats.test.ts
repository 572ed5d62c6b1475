import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = createScratch('formats');
afterAll(() => scratch.remove());

function project(name: string, files: Record<string, string>): string {
  const folder = join(scratch.path, name);
  writeFiles(folder, files);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/agent-understudy'));
  return folder;
}

async function run(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await runUnderstudy(['run', '--stage', 'sim', '--json', ...args], { cwd });
  return { code, stderr, entries: JSON.parse(stdout).entries as Record<string, unknown>[] };
}

const runsTypeScript = Boolean(Reflect.get(process.features, 'typescript'));
const endings = ['toml', 'yaml', 'json', 'mjs', ...(runsTypeScript ? ['ts'] : [])];

/** The blocks of the page, as files. */
function formats(change = (text: string) => text): Record<string, string> {
  const page = readFileSync(join(root, 'docs/rehearsals.md'), 'utf8').split(/<!-- \/?formats -->/)[1] ?? '';
  const blocks = new Map([...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, as = '', text = '']) => [as, text]));
  return Object.fromEntries(
    endings.map((ending) => [
      `door.rehearsal.${ending}`,
      change(blocks.get(ending === 'mjs' ? 'ts' : ending) ?? `no ${ending}`),
    ]),
  );
}

/** Without what is of one file, or of one run. */
function withoutOwn({ file, id, rerun, logs, artifacts, ...entry }: Record<string, unknown>): string {
  const own = ['defined_at', 'duration_ms', 'similar_failures'];
  return JSON.stringify(entry, (key, value) => (own.includes(key) ? undefined : value)).replace(/\/tmp\/[^"\\ ]+/g, '');
}

it('gives the same result in all formats of the page, green and red', async () => {
  const green = await run(project('green', formats()), '.');
  expect(green.code).toBe(0);
  expect(green.entries.map(({ status }) => status)).toEqual(endings.map(() => 'passed'));
  expect(new Set(green.entries.map(withoutOwn)).size).toBe(1);
  const red = await run(
    project(
      'red',
      formats((text) => text.replace(/(says"?'?[:=]? ?=? ?"?'?)open/, '$1shut')),
    ),
    '.',
  );
  expect(red.code).toBe(1);
  expect(red.entries.map(({ status }) => status)).toEqual(endings.map(() => 'failed'));
  expect(new Set(red.entries.map(withoutOwn)).size).toBe(1);
  const places = red.entries.map(
    ({ steps }) => JSON.stringify(steps).match(/"defined_at":\{"file":"([^}]*?)(?:,"frame|\})/)?.[1],
  );
  expect(places).toContainEqual('door.rehearsal.mjs","path":"steps[0].expect.says"');
  expect(places).toContainEqual('door.rehearsal.toml","line":14,"column":1');
});

it('says what is wrong with a module, runs the others, and ends with 2', async () => {
  const cwd = project('broken', {
    'a.rehearsal.mjs': 'export default { steps: [{ send: "x", expect: { sayz: "y" } }] };',
    'b.rehearsal.mjs': 'export default { steps: [{ send: () => "x" }] };',
    'c.rehearsal.mjs': 'throw new Error("the table is empty");',
    'd.rehearsal.mjs': 'process.exit(0);',
    'e.rehearsal.mjs': 'export const rehearsal = {};',
    'f.rehearsal.toml': greeting(),
    ...(runsTypeScript ? {} : { 'g.rehearsal.ts': 'export default {};' }),
  });
  const { code, stdout } = await runUnderstudy(['run', '--stage', 'sim'], { cwd });
  expect(code).toBe(2);
  expect(stdout).toContain('✓ a greeting');
  for (const told of [
    'a.rehearsal.mjs: steps[0].expect.sayz `sayz` is not a field here',
    'fix: Change it to `says`.',
    'b.rehearsal.mjs: steps[0].send `send` is a function, and a rehearsal is data',
    'c.rehearsal.mjs:1:7 the module cannot be imported: the table is empty',
    'd.rehearsal.mjs the module ended before it gave a rehearsal',
    'e.rehearsal.mjs the module has no default export',
    ...(runsTypeScript ? [] : ['use Node 22.18 or newer for TypeScript']),
  ]) {
    expect(stdout).toContain(told);
  }
  const checked = await runUnderstudy(['check', '.'], { cwd });
  expect(checked.code).not.toBe(0);
  expect(checked.stdout + checked.stderr).toContain('steps[0].send');
});

it('prints nothing of a module on stdout, and filters, lists and shards its entries', async () => {
  const module = (name: string) =>
    `console.log("working"); export default { name: "${name}", default_response: "ok", steps: [{ send: "x" }] };`;
  const cwd = project('entries', { 'a.rehearsal.mjs': module('one'), 'b.rehearsal.mjs': module('two') });
  const { code, stderr, entries } = await run(cwd, '--grep', 'one', '--shard', '1/1');
  expect({ code, names: entries.map(({ name }) => name) }).toEqual({ code: 0, names: ['one'] });
  expect(stderr).toContain('working');
  const { stdout } = await runUnderstudy(['run', '--stage', 'sim', '--list'], { cwd });
  expect(stdout).toContain('2 to run');
});
