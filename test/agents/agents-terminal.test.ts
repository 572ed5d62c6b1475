import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, type TestContext } from 'vitest';
import { ClaudeTerminal } from '../../packages/agents/src/claude/terminal-session.js';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { type ModelServer, startModelServer } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeSamplePlugin } from '../helpers/sample-plugin.js';

const TIMEOUT = 120_000;
const cleanUps: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function scratch(purpose: string): string {
  const made: Scratch = createScratch(purpose);
  cleanUps.push(() => made.remove());
  return made.path;
}

async function open(context: TestContext): Promise<{ claude: ClaudeTerminal; project: string; server: ModelServer }> {
  const found = await realAgent('claude', context);
  const project = scratch('project');
  const scenario = defineScenario({
    responses: [
      {
        pattern: { type: 'contains', text: 'make' },
        response: {
          text: 'The file is made.',
          tool_calls: [{ tool: 'Write', input: { file_path: join(project, 'made.txt'), content: 'x' } }],
        },
      },
      { pattern: { type: 'command', name: 'explore' }, response: 'I looked everywhere.' },
    ],
  });
  const server = await startModelServer({ scenario });
  cleanUps.push(() => server.close());
  const claude = await ClaudeTerminal.start({
    found,
    model: { kind: 'loopback', url: server.url, key: server.key },
    cwd: project,
    home: scratch('home'),
    plugins: [writeSamplePlugin(scratch('plugin'))],
  });
  cleanUps.push(() => claude.end());
  return { claude, project, server };
}

it('answers a permission dialog of the interactive Claude Code with no, and the file is not made', {
  timeout: TIMEOUT,
}, async (context) => {
  const { claude, project } = await open(context);
  await claude.submit('make a file');
  await claude.answerPermission('no');
  await claude.waitFor(/rejected|interrupted|User declined|denied/i);
  expect(existsSync(join(project, 'made.txt'))).toBe(false);
});

it('expands a plugin’s command that was typed by its full name', { timeout: TIMEOUT }, async (context) => {
  const { claude, server } = await open(context);
  await claude.submit('/sampler:explore the cellar');
  await claude.waitFor('I looked everywhere.');
  const prompts = server.journal.entries({ kind: 'answer' }).flatMap(({ prompt }) => prompt ?? []);
  expect(prompts.join('\n')).toContain('Systematically investigate the cellar.');
});

it('tells what the screen shows instead, and leaves no process', async () => {
  const terminal = await Terminal.start({
    command: ['/bin/sh', '-c', 'printf "\\033[1;31mhello\\033[0m <you>"; sleep 100'],
    cwd: '/',
    env: scrubbedEnvironment(),
  });
  await terminal.waitFor('hello <you>');
  expect(terminal.svg()).toContain('font-weight="bold">hello</text>');
  expect(terminal.svg()).toContain('&lt;you&gt;');
  await expect(terminal.waitFor('goodbye', 200)).rejects.toMatchObject({
    code: 'TERMINAL_NOT_SHOWN',
    fix: expect.stringContaining('hello <you>'),
  });
  const { pid } = terminal;
  await terminal.end();
  expect(isAlive(pid)).toBe(false);
});
