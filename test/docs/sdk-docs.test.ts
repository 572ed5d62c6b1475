import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { loadAgentSdk } from '../conformance/agent-sdk/install.js';
import { optionalProgram } from '../helpers/optional-program.js';
import { runUnderstudy } from '../helpers/understudy.js';

const PAGES = readdirSync('docs/sdks').map((name) => name.replace(/\.md$/, ''));
/** These need more than a stand-in and npm: a server of the real CLI, packages from PyPI. They are only read. */
const ONLY_READ = ['claude-agent-sdk-python', 'opencode'];
const SDKS = ['@anthropic-ai/claude-agent-sdk', '@ai-sdk/anthropic', 'ai', '@openai/codex-sdk', '@opencode-ai/sdk'];
const ACP = ['@agentclientprotocol/sdk', '@agentclientprotocol/claude-agent-acp'];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-docs-')));
const sdks = await loadAgentSdk();

beforeAll(() => {
  const link = (from: string, name: string) => {
    const to = join(folder, 'node_modules', name);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(resolve(from, name), to);
  };
  for (const name of ['@anthropic-ai/sdk', '@google/genai', 'openai']) link('node_modules', name);
  for (const name of [...SDKS, ...ACP]) link('test/conformance/agent-sdk/node_modules', name);
  for (const page of PAGES) {
    const { program, code, rehearsal } = partsOf(page);
    mkdirSync(join(folder, page));
    writeFileSync(join(folder, page, program), code);
    writeFileSync(join(folder, page, 'a.rehearsal.toml'), rehearsal);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program and the rehearsal that a page shows. */
function partsOf(page: string): { program: string; code: string; rehearsal: string } {
  const text = readFileSync(`docs/sdks/${page}.md`, 'utf8');
  const block = (language: string) =>
    new RegExp(`^\`\`\`(?:${language})\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';
  const program = /^`([\w.]+)`, the program under test/m.exec(text)?.[1] ?? '';
  return { program, code: block('js|python'), rehearsal: block('toml') };
}

it.skipIf(sdks === undefined)('runs the program of each page with its rehearsal', async () => {
  const pages = PAGES.filter((page) => !ONLY_READ.includes(page));
  const { stdout } = await runUnderstudy(['run', ...pages, '--stage', 'sim', '--json'], { cwd: folder });
  const { entries } = runResultSchema.parse(JSON.parse(stdout));
  const ended = entries.map(({ file, status, steps }) => [
    file?.split('/')[0],
    status,
    steps.flatMap(({ checks }) => checks.filter((check) => check.status !== 'passed').map(({ name }) => name)),
  ]);
  expect(ended).toEqual(pages.map((page) => [page, 'passed', []]));
});

it('has rehearsals that are right, and programs that can be read', async () => {
  const { code, stdout } = await runUnderstudy(['check', ...PAGES.map((page) => `${page}/a.rehearsal.toml`)], {
    cwd: folder,
  });
  expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
  const node = spawnSync(process.execPath, ['--check', 'opencode/opencode.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(node.stderr).toBe('');
  const python = optionalProgram('python3', 'the page of the Agent SDK in Python');
  if (python === undefined) return;
  const compiled = spawnSync(python, ['-m', 'py_compile', 'claude-agent-sdk-python/agent.py'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(compiled.stderr).toBe('');
});

it('is linked from the overview', () => {
  const overview = readFileSync('docs/sdk-programs.md', 'utf8');
  expect(PAGES.filter((page) => !overview.includes(`(sdks/${page}.md)`))).toEqual([]);
});
