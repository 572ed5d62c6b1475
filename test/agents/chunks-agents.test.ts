import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { runUnderstudy } from '../helpers/understudy.js';

const AGENTS = ['claude', 'codex', 'gemini', 'kiro', 'opencode'];

it('is one text for an agent, in however many pieces the model streams it', async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'chunks-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(
    join(cwd, 'a.rehearsal.toml'),
    `name = "pieces"
agent = ${JSON.stringify(AGENTS)}
[[responses]]
pattern = { type = "any" }
response = { chunks = ["Hel", "lo, ", "you."] }
[[steps]]
send = "hi"
expect = { says = { type = "exact", text = "Hello, you." } }
`,
  );
  const { stdout } = await runUnderstudy(['run', '--stage', 'sim', '--json'], { cwd });
  const { entries } = runResultSchema.parse(JSON.parse(stdout));
  expect(entries.map(({ agent, status }) => [agent, status]).sort()).toEqual(AGENTS.map((agent) => [agent, 'passed']));
});
