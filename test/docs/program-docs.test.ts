import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runUnderstudy } from '../helpers/understudy.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'program-docs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first TOML snippet of a page in which a program runs. */
function snippet(page: string): string {
  const snippets = [...readFileSync(page, 'utf8').matchAll(/^```toml\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body);
  const found = snippets.find((body) => body.includes('\nrun = '));
  if (found === undefined) throw new Error(`${page} shows no program`);
  return found;
}

it('runs what the pages show', async () => {
  const loop = join(folder, 'loop.sh');
  writeFileSync(loop, readFileSync('examples/programs/loop/loop.sh'));
  chmodSync(loop, 0o755);
  const sdk = resolve('node_modules/@anthropic-ai/sdk/index.mjs');
  writeFileSync(
    join(folder, 'ask.mjs'),
    `import Anthropic from ${JSON.stringify(sdk)};
const ask = (content) => new Anthropic().messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] });
for (const text of ['What is the time?', 'And now?']) console.log((await ask(text)).content[0].text);
`,
  );
  for (const page of ['docs/programs.md', 'docs/sdk-programs.md']) {
    writeFileSync(join(folder, `${page.replace(/\W/g, '-')}.rehearsal.toml`), snippet(page));
  }
  const { code, stdout } = await runUnderstudy(['run', '--stage', 'sim'], { cwd: folder });
  expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
  expect(stdout).toContain('2 passed');
});
