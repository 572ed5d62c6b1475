import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../process/scratch.js';
import { importPart } from './import-part.js';
import { importStamped, stampPart } from './own-part.js';

const scratch = createScratch('own-part');
afterAll(() => scratch.remove());

function module(name: string, text: string): string {
  const file = join(scratch.path, name);
  writeFileSync(file, text);
  return file;
}

it('knows what it has marked, and nothing else', async () => {
  expect(stampPart('agent', { name: 'a' })).toEqual({ name: 'a', understudy: 'agent/1' });
  const good = module('good.mjs', 'export default { name: "a", understudy: "agent/1" };');
  await expect(importStamped(good, 'agent')).resolves.toMatchObject({ name: 'a' });
  for (const [name, part, message] of [
    ['plain', '{ name: "a" }', /exports no agent$/],
    ['check', '{ understudy: "check/1" }', /exports no agent$/],
    ['newer', '{ understudy: "agent/2" }', /made for API 2 of parts, and this Understudy has API 1/],
    ['text', '"agent/1"', /exports no agent$/],
  ] as const) {
    const file = module(`${name}.mjs`, `export default ${part};`);
    await expect(importStamped(file, 'agent'), name).rejects.toMatchObject({
      ...{ code: 'PART_UNUSABLE', location: { file } },
      ...{ message: expect.stringMatching(message), fix: expect.stringMatching(/defineAgent|one version/) },
    });
  }
});

it('does not wait for a module that never settles, and takes whatever one throws', async () => {
  const endless = module('endless.mjs', 'await new Promise(() => {}); export default 1;');
  await expect(importPart(endless, 'agent', 50)).rejects.toMatchObject({
    ...{ code: 'PART_UNUSABLE', message: expect.stringContaining('had not ended its first run after 0.05 s') },
  });
  const odd = module('odd.mjs', 'throw undefined;');
  await expect(importPart(odd, 'agent')).rejects.toMatchObject({ code: 'PART_UNUSABLE' });
});
