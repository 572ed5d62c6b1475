import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createScratch, type Scratch } from '../../src/process/scratch.js';
import { createProject } from '../../src/workspace/create-project.js';
import { startProjectServer } from '../../src/workspace/dev-server.js';
import { initRepository, listCommits } from '../../src/workspace/git.js';
import type { FakeAnswer } from '../helpers/fake-messages.js';
import { claudePlugin, type Inventory, loadProblems, unloggedEvents } from '../helpers/plugin-inventory.js';
import { type PluginSession, playPlugins } from '../helpers/plugin-session.js';
import { realAgent } from '../helpers/real-agents.js';

const marketplace = resolve('examples/marketplace');
const promised: Record<string, Inventory> = {
  'agent-loop': {
    commands: ['explore', 'plan', 'code', 'commit'],
    agents: ['loop-guide'],
    skills: ['map-the-code'],
    servers: [],
  },
  epti: {
    commands: ['write-tests', 'verify-fail', 'commit-tests', 'implement', 'iterate', 'commit-code'],
    agents: ['tdd-coach'],
    skills: ['test-first'],
    servers: [],
  },
  'visual-iteration': {
    commands: ['screenshot', 'feedback', 'refine', 'commit-visual'],
    agents: ['visual-reviewer'],
    skills: ['measured-feedback'],
    servers: ['browser-tools'],
  },
  promptctl: { commands: ['log', 'rules'], agents: [], skills: [], servers: [] },
};
const names = Object.keys(promised);
const found = await realAgent('claude');

describe.skipIf(found === undefined)('the example marketplace in the real Claude Code', () => {
  let scratch: Scratch;
  let count = 0;
  beforeAll(() => {
    scratch = createScratch('marketplace');
  });
  afterAll(() => scratch.remove());

  const claude = () => found ?? expect.unreachable();
  const folder = (what: string) => {
    const path = join(scratch.path, `${what}-${++count}`);
    mkdirSync(path);
    return path;
  };
  const pluginFolder = (name: string) => join(marketplace, 'plugins', name);

  /** A copy of a plugin, to be broken. */
  function copyOf(name: string): string {
    const path = join(folder('twin'), name);
    cpSync(pluginFolder(name), path, { recursive: true });
    return path;
  }

  function play(options: {
    plugins: readonly string[];
    prompts?: readonly string[];
    answers?: readonly FakeAnswer[];
    project?: string;
    home?: string;
    environment?: Record<string, string>;
  }): Promise<PluginSession> {
    return playPlugins({
      claude: claude(),
      home: options.home ?? folder('home'),
      project: options.project ?? folder('project'),
      plugins: options.plugins,
      prompts: options.prompts ?? ['hello'],
      answers: options.answers ?? ['Hello.'],
      ...(options.environment === undefined ? {} : { environment: options.environment }),
    });
  }

  const validate = async (path: string) => {
    const { code, stdout } = await claudePlugin(claude(), folder('home'), ['validate', '--strict', '--json', path]);
    return { code, report: z.looseObject({ success: z.boolean() }).parse(JSON.parse(stdout)) };
  };

  it('is clean under validate --strict, as a whole and plugin by plugin', async () => {
    for (const path of [marketplace, ...names.map(pluginFolder)]) {
      expect(await validate(path)).toMatchObject({ code: 0, report: { success: true, manifest: { warnings: [] } } });
    }
  });

  it('installs, lists without errors, and loads from the installed copy', async () => {
    const home = folder('home');
    const run = (...args: string[]) => claudePlugin(claude(), home, args);
    expect(await run('marketplace', 'add', marketplace)).toMatchObject({ code: 0 });
    for (const name of names) expect(await run('install', `${name}@understudy-examples`)).toMatchObject({ code: 0 });
    const Listed = z.array(
      z.looseObject({ id: z.string(), enabled: z.boolean(), errors: z.optional(z.array(z.unknown())) }),
    );
    const listed = Listed.parse(JSON.parse((await run('list', '--json')).stdout));
    expect(listed.map(({ id, enabled, errors = [] }) => ({ id, enabled, errors }))).toEqual(
      names.toSorted().map((name) => ({ id: `${name}@understudy-examples`, enabled: true, errors: [] })),
    );
    const { init } = await play({ plugins: [], home });
    for (const [name, inventory] of Object.entries(promised)) expect(loadProblems(init, name, inventory)).toEqual([]);
  });

  // Hooks on every event cost time, so the plugin that has them is played by itself.
  it.each([{ together: names.filter((name) => name !== 'promptctl') }, { together: ['promptctl'] }])(
    'expands every command of $together into its own text, with the arguments in it',
    async ({ together }) => {
      const commands = together.flatMap((plugin) =>
        (promised[plugin]?.commands ?? []).map((command) => ({ plugin, command })),
      );
      const session = await play({
        plugins: together.map(pluginFolder),
        prompts: commands.map(({ plugin, command }) => `/${plugin}:${command} the login page`),
      });
      expect(session.requests).toHaveLength(commands.length);
      for (const [index, { plugin, command }] of commands.entries()) {
        const file = join(pluginFolder(plugin), 'commands', `${command}.md`);
        const [firstLine = ''] = (readFileSync(file, 'utf8').split('---\n')[2] ?? '').trim().split('\n');
        const expanded = JSON.stringify(firstLine.replace('$ARGUMENTS', 'the login page')).slice(1, -1);
        expect(session.requests[index]).toContain(`<command-name>/${plugin}:${command}</command-name>`);
        expect(session.requests[index]).toContain(expanded);
      }
    },
  );

  describe('epti', () => {
    const write = (path: string, content: string) => ({ tool: 'Write', input: { file_path: path, content } });
    const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'work' } });

    /** The whole round, wrong steps first. Gives back which tool calls were refused by the hook, counted from 1. */
    async function round(plugin: string) {
      const { folder: project } = createProject(join(folder('project'), 'p'), { type: 'library', language: 'python' });
      await initRepository(project);
      const code = join(project, 'durations/parts.py');
      const session = await play({
        plugins: [plugin],
        project,
        answers: [
          write(code, 'PARTS = []\n'),
          bash(`echo 'PARTS = []' > durations/parts.py`),
          write(join(project, 'tests/test_parts.py'), 'import unittest\n'),
          write(code, 'PARTS = []\n'),
          bash('git add tests && git commit -q -m "test: cover parts"'),
          write(code, 'PARTS = []\n'),
          bash('git add -A && git commit -q -m "feat: add parts"'),
          bash(`echo 'PARTS = [1]' >> durations/parts.py`),
          'Done.',
        ],
      });
      const refused = session.toolResults.flatMap(({ content, is_error }, index) =>
        is_error === true && JSON.stringify(content).includes('Tests first') ? [index + 1] : [],
      );
      return { session, refused, project, code };
    }

    it('refuses implementation until the tests are committed, lets it through after, and begins again', async () => {
      const { session, refused, project, code } = await round(pluginFolder('epti'));
      expect(refused).toEqual([1, 2, 4, 8]);
      expect(readFileSync(code, 'utf8')).toBe('PARTS = []\n');
      expect((await listCommits(project)).map(({ subject }) => subject)).toEqual([
        'feat: add parts',
        'test: cover parts',
        'chore: start the project',
      ]);
      expect(session.hooks.filter(({ hook_event }) => hook_event === 'PreToolUse')).toHaveLength(8);
      // The reason reached the model, so it can act on it.
      expect(session.requests[1]).toContain('Begin with /epti:write-tests');
      expect(session.requests[4]).toContain('not committed yet: tests/test_parts.py');
    });

    it('lets everything through once the hook is unwired, and the same test sees it', async () => {
      const twin = copyOf('epti');
      writeFileSync(join(twin, 'hooks/hooks.json'), '{"hooks":{}}');
      const { refused, code } = await round(twin);
      expect(refused).toEqual([]);
      expect(readFileSync(code, 'utf8')).toBe('PARTS = []\nPARTS = [1]\n');
    });

    it('lets everything through when the matcher is misspelt, and the same test sees it', async () => {
      const twin = copyOf('epti');
      const hooks = join(twin, 'hooks/hooks.json');
      writeFileSync(hooks, readFileSync(hooks, 'utf8').replace(/"matcher": "[^"]+"/, '"matcher": "write"'));
      expect((await round(twin)).refused).toEqual([]);
    });
  });

  describe('promptctl', () => {
    const events = [
      ...['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion', 'PreToolUse', 'PostToolUse'],
      ...['PostToolUseFailure', 'Stop', 'PreCompact', 'PostCompact', 'SessionEnd'],
    ];
    const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'work' } });

    async function busySession(plugin: string) {
      const log = join(folder('log'), 'log.jsonl');
      const session = await play({
        plugins: [plugin],
        prompts: ['hello', '/promptctl:log', '/compact'],
        answers: [bash('echo one'), bash('exit 3'), 'Done.'],
        environment: { PROMPTCTL_LOG: log },
      });
      return { session, log };
    }

    it('logs every event that such a session has', async () => {
      const { log } = await busySession(pluginFolder('promptctl'));
      expect(unloggedEvents(log, events)).toEqual([]);
    });

    it('misses an event once its hook is renamed, and the same test sees it', async () => {
      const twin = copyOf('promptctl');
      const hooks = join(twin, 'hooks/hooks.json');
      writeFileSync(hooks, readFileSync(hooks, 'utf8').replace('"PostToolUse":', '"AfterToolUse":'));
      const { log } = await busySession(twin);
      expect(unloggedEvents(log, events)).toContain('PostToolUse');
      expect((await validate(twin)).code).not.toBe(0);
    });

    it('blocks a tool by a rule, with the reason for the model', async () => {
      const project = folder('project');
      mkdirSync(join(project, '.promptctl'));
      const rules = [{ event: 'PreToolUse', tool: 'Bash', contains: 'touch forbidden', reason: 'Not that file.' }];
      writeFileSync(join(project, '.promptctl/rules.json'), JSON.stringify({ rules }));
      const session = await play({
        plugins: [pluginFolder('promptctl')],
        project,
        answers: [bash('touch forbidden'), bash('touch allowed'), 'Done.'],
      });
      expect(session.toolResults.map(({ is_error = false }) => is_error)).toEqual([true, false]);
      expect(readdirSync(project)).toEqual(['.promptctl', 'allowed']);
      expect(session.requests[1]).toContain('Not that file.');
      expect(session.hooks.filter(({ exit_code }) => exit_code === 2).map(({ hook_name }) => hook_name)).toEqual([
        'PreToolUse:Bash',
      ]);
    });

    it('keeps a prompt from the model by a variable', async () => {
      const session = await play({
        plugins: [pluginFolder('promptctl')],
        prompts: ['the password is rosebud', 'hello'],
        environment: { PROMPTCTL_BLOCK: 'UserPromptSubmit:password' },
      });
      expect(session.requests).toHaveLength(1);
      expect(session.requests.join()).not.toContain('rosebud');
    });
  });

  describe('visual-iteration', () => {
    const tool = (name: string, input: Record<string, unknown>) => ({
      tool: `mcp__plugin_visual-iteration_browser-tools__${name}`,
      input,
    });

    it('takes pictures of a page that tell when it changed', async () => {
      const project = createProject(join(folder('project'), 'p'), { type: 'web-app', language: 'javascript' });
      const server = await startProjectServer(project);
      try {
        const session = await play({
          plugins: [pluginFolder('visual-iteration')],
          project: project.folder,
          answers: [
            tool('navigate', { url: server.url }),
            tool('screenshot', { filename: 'board-1.png' }),
            tool('screenshot', { filename: 'board-2.png' }),
            {
              tool: 'Bash',
              input: { command: `sed -i 's/8px 32px/8px 24px/' static/styles.css`, description: 'refine' },
            },
            tool('screenshot', { filename: 'board-3.png' }),
            tool('screenshot', { filename: '../outside.png' }),
            'Done.',
          ],
        });
        expect(session.toolResults.map(({ is_error = false }) => is_error)).toEqual([
          false,
          false,
          false,
          false,
          false,
          true,
        ]);
        expect(JSON.stringify(session.toolResults[0]?.content)).toContain('Task Board javascript');
        expect(JSON.stringify(session.toolResults[1]?.content)).toContain('image');
        const picture = (name: string) => readFileSync(join(project.folder, 'screenshots', name)).toString('base64');
        expect(picture('board-1.png')).toBe(picture('board-2.png'));
        expect(picture('board-3.png')).not.toBe(picture('board-1.png'));
      } finally {
        await server.stop();
      }
    });

    it('is reported as failed when its server is not where .mcp.json says', async () => {
      const twin = copyOf('visual-iteration');
      renameSync(join(twin, 'servers'), join(twin, 'server'));
      const { init } = await play({ plugins: [twin] });
      expect(loadProblems(init, 'visual-iteration', promised['visual-iteration'] ?? expect.unreachable())).toEqual([
        'server browser-tools is failed',
      ]);
    });

    it('is reported as failed when the configured browser is not there', async () => {
      const { init } = await play({
        plugins: [pluginFolder('visual-iteration')],
        environment: { BROWSER_TOOLS_CHROMIUM: join(scratch.path, 'no-chromium') },
      });
      expect(loadProblems(init, 'visual-iteration', promised['visual-iteration'] ?? expect.unreachable())).toEqual([
        'server browser-tools is failed',
      ]);
    });
  });

  describe('agent-loop, broken', () => {
    const inventory = promised['agent-loop'] ?? expect.unreachable();

    it('misses a command once its file is renamed', async () => {
      const twin = copyOf('agent-loop');
      renameSync(join(twin, 'commands/explore.md'), join(twin, 'commands/explor.md'));
      const { init } = await play({ plugins: [twin] });
      expect(loadProblems(init, 'agent-loop', inventory)).toEqual(['command agent-loop:explore is not there']);
    });

    it('is not valid, and does not load, once its manifest is broken', async () => {
      const twin = copyOf('agent-loop');
      const manifest = join(twin, '.claude-plugin/plugin.json');
      writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"name": "agent-loop",', '"name": 7,'));
      expect(await validate(twin)).toMatchObject({ code: 1, report: { success: false } });
      const { init } = await play({ plugins: [twin] });
      expect(loadProblems(init, 'agent-loop', inventory).join('\n')).toMatch(/is not loaded/);
    });
  });
});
