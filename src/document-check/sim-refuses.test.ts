import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDocument } from './check-document.js';

async function refusals(text: string, files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sim-refuses-'));
  for (const [name, content] of Object.entries({ 'a.rehearsal.toml': text, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return checkDocument(join(folder, 'a.rehearsal.toml'));
}

const CALL = `[[responses]]
pattern = { type = "any" }
response = { text = "Done.", tool_calls = [{ tool = "WebSearch", input = { query = "a" } }] }
[[steps]]
send = "go"
`;

it('names a tool that needs the real CLI, with its line', async () => {
  const { ok, refused_on_sim: refused } = await refusals(CALL);
  expect(ok).toBe(true);
  expect(refused).toMatchObject([
    {
      code: 'SIM_REFUSES',
      message: 'the stand-in refuses the tool WebSearch, which has no `result` here',
      location: { line: 3 },
    },
  ]);
});

it('is an error where the rehearsal is made for sim', async () => {
  expect(await refusals(`stage = "sim"\n${CALL}`)).toMatchObject({ ok: false, errors: [{ code: 'SIM_REFUSES' }] });
  expect((await refusals(`stage = "scripted"\n${CALL}`)).refused_on_sim).toBeUndefined();
});

it.each([
  CALL.replace('input =', 'result = "found", input ='),
  `tool_execution = { mode = "mock" }\n${CALL}`,
  `agent = "codex"\n${CALL}`,
])('says nothing where sim plays it (%#)', async (text) => {
  expect((await refusals(text)).refused_on_sim).toBeUndefined();
});

it('names subcommands and flags of a program', async () => {
  const { refused_on_sim: refused } = await refusals(
    '[[steps]]\nrun = "cd . && claude plugin list; claude -p hi --worktree=a"\n',
  );
  expect(refused?.map(({ message }) => message)).toEqual([
    'the stand-in refuses `claude plugin`',
    'the stand-in refuses the flag --worktree=a',
  ]);
});

it('names hooks and settings of a project and of a plugin', async () => {
  const hooks = {
    Stop: [
      {
        hooks: [
          { type: 'http', url: 'http://127.0.0.1:1' },
          { type: 'command', command: 'true' },
        ],
      },
    ],
  };
  const { refused_on_sim: refused } = await refusals(
    `plugins = ["p"]
[[responses]]
pattern = { type = "any" }
response = "Hello."
[project.files]
".claude/settings.json" = '{ "enabledPlugins": { "a@b": true } }'
[[steps]]
send = "go"
`,
    { 'p/hooks/hooks.json': JSON.stringify({ hooks }) },
  );
  expect(refused?.map(({ message }) => message)).toEqual([
    'the stand-in refuses a hook of Stop with http',
    'the stand-in refuses the setting enabledPlugins',
  ]);
});

it('names a typed command with a line that only the real CLI can judge', async () => {
  const plugin = {
    'p/.claude-plugin/plugin.json': '{ "name": "p" }',
    'p/commands/refs.md': '---\ndescription: Refs\n---\nAll: !`git for-each-ref --format=x`\n',
    'p/commands/plain.md': '---\ndescription: Plain\n---\nAll: !`git status`\n',
  };
  const typing = (line: string) => refusals(`plugins = ["p"]\n[[steps]]\nsend = "${line}"\n`, plugin);
  expect((await typing('/p:refs now')).refused_on_sim).toMatchObject([
    { message: 'the stand-in refuses a line that commands/refs.md runs', location: { line: 3 } },
  ]);
  expect((await typing('/p:plain')).refused_on_sim).toBeUndefined();
  expect((await typing('hello')).refused_on_sim).toBeUndefined();
});
