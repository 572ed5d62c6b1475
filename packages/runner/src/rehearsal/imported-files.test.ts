import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import { rehearsalEntries } from './entries.js';
import { importedFiles } from './imported-files.js';
import { loadRehearsals } from './load-files.js';
import { rehearsalPlayer } from './player.js';

const scratch = createScratch('imported');
afterAll(() => scratch.remove());

function put(name: string, text: string): string {
  const file = join(scratch.path, name);
  writeFileSync(file, text);
  return file;
}

it('finds what a module imports beside it, and what that imports', () => {
  const deep = put('deep.mjs', 'import "./a.rehearsal.mjs"; export const deep = 1;');
  const rules = put('rules.mjs', "export { deep } from './deep.mjs'; import 'node:fs'; import './none.mjs';");
  const file = put(
    'a.rehearsal.mjs',
    'const { deep } = await import("./rules.mjs"); export default { steps: [{ send: "x" }] }',
  );
  expect(importedFiles(file)).toEqual([rules, deep]);
  expect(importedFiles(put('b.rehearsal.toml', 'name = "import \'./deep.mjs\'"'))).toEqual([]);
  const [entry] = rehearsalEntries(loadRehearsals([file]));
  expect(entry?.parts).toEqual([file, rules, deep]);
});

it('is an entry that another machine plays without the module', async () => {
  const text =
    'const steps = ["one", "two"].map((send) => ({ send })); export default { default_response: "ok", steps }';
  const [entry] = rehearsalEntries(loadRehearsals([put('c.rehearsal.mjs', text)]), { stage: 'sim' });
  const sent = JSON.parse(JSON.stringify(entry));
  const player = rehearsalPlayer([], () => join(scratch.path, 'not-here.mjs'));
  expect(await player.skipReason?.(sent)).toBeUndefined();
  expect(sent.calls).toEqual({ expected: 2, most: 2 });
});
