import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { runToEnd } from '../../packages/kit/src/process/run-to-end.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { createProject } from '../../packages/stage/src/workspace/create-project.js';
import { startProjectServer } from '../../packages/stage/src/workspace/dev-server.js';
import { commitAll, git, initRepository } from '../../packages/stage/src/workspace/git.js';
import { writeSampleFiles } from '../../packages/stage/src/workspace/sample-files.js';
import { optionalProgram } from '../helpers/optional-program.js';

const plugins = resolve('examples/marketplace/plugins');
let scratch: Scratch;
let project: string;
beforeEach(() => {
  scratch = createScratch('scripts');
  // Its own name must not make everything below it a test.
  project = join(scratch.path, 'tests', 'project');
  mkdirSync(project, { recursive: true });
});
afterEach(() => scratch.remove());

function runHook(script: string, payload: object, environment: Record<string, string> = {}) {
  return runToEnd({
    command: [process.execPath, join(plugins, script)],
    cwd: project,
    env: scrubbedEnvironment(environment),
    input: JSON.stringify({ session_id: 's', cwd: project, ...payload }),
    deadlineMs: 20_000,
  });
}

const put = (path: string, content = '\n') => writeSampleFiles(project, [{ path, content }]);

describe('the gate of epti', () => {
  async function gate(tool: string, input: object, environment?: Record<string, string>): Promise<'open' | string> {
    const payload = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input };
    const { code, stdout, stderr } = await runHook('epti/hooks/tests-first.mjs', payload, environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    if (stdout === '') return 'open';
    return JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason;
  }
  const write = (path: string) => gate('Write', { file_path: join(project, path), content: '' });
  const bash = (command: string) => gate('Bash', { command });

  beforeEach(async () => {
    put('src/main.py');
    put('tests/test_main.py');
    await initRepository(project);
  });

  it.each([
    'tests/new.py',
    'test_x.py',
    'src/x_test.go',
    'src/x.test.ts',
    'web/x.spec.js',
    'README.md',
    'config.json',
    'a/__tests__/b.js',
  ])('never holds back %s', async (path) => {
    expect(await write(path)).toBe('open');
  });

  it.each([
    'src/main.py',
    'src/contest.py',
    'latest.js',
    'testing.py',
    'tests/../src/main.py',
    'src/new/deep.ts',
    'style.css',
  ])('holds back %s while this round has no tests', async (path) => {
    expect(await write(path)).toContain('Tests first');
  });

  it('opens with a commit of tests, and closes with a commit of implementation', async () => {
    put('tests/test_next.py');
    expect(await write('src/main.py')).toContain('not committed yet: tests/test_next.py');
    await commitAll(project, 'test: cover next');
    expect(await write('src/main.py')).toBe('open');
    put('docs/notes.md');
    await commitAll(project, 'docs: add notes');
    expect(await write('src/main.py')).toBe('open');
    put('src/main.py', 'x = 1\n');
    expect(await write('src/main.py')).toBe('open');
    await commitAll(project, 'feat: add x');
    expect(await write('src/main.py')).toContain('"feat: add x"');
  });

  it('does not open with a commit that mixes tests and code', async () => {
    put('tests/test_next.py');
    put('src/next.py');
    await commitAll(project, 'feat: all at once');
    expect(await write('src/main.py')).toContain('Tests first');
  });

  it.each([
    'echo x > src/main.py',
    'echo x >> src/main.py',
    'echo x >| src/main.py',
    'make 2> src/main.py',
    `cat <<'EOF' > src/main.py\nprint(1) # > README.md\nEOF`,
    'cat tests/test_main.py | tee -a src/main.py',
    `sed -i 's/a/b/' src/main.py`,
    'cp tests/test_main.py src/copy.py',
    'cd src && echo x > main.py',
    'true; echo "a > b" > "src/my file.py"',
  ])('holds back the command %j', async (command) => {
    expect(await bash(command)).toContain('Tests first');
  });

  it.each([
    'python3 src/main.py > out.log 2>&1',
    'cat src/main.py',
    'echo "x > src/main.py"',
    `grep -n '>' src/main.py`,
    'cd tests && echo x > helper.py',
    `sed 's/a/b/' src/main.py`,
    `cat > tests/test_b.py <<EOF\necho > src/main.py\nEOF`,
    'git commit -m "feat: a > b.py"',
    'cp src/main.py /dev/null',
    'test 3 -gt 2 && ls',
  ])('lets the command %j through', async (command) => {
    expect(await bash(command)).toBe('open');
  });

  it('is not fooled by a link from the tests into the code', async () => {
    symlinkSync(join(project, 'src'), join(project, 'tests/link'));
    expect(await write('tests/link/main.py')).toContain('src/main.py is implementation');
  });

  it('is closed outside of a repository, but only for the project itself', async () => {
    const bare = join(scratch.path, 'bare');
    mkdirSync(bare);
    const input = { file_path: join(bare, 'a.py') };
    const inside = await runHook('epti/hooks/tests-first.mjs', { tool_name: 'Write', tool_input: input, cwd: bare });
    expect(inside.stdout).toContain('without a git repository');
    expect(await gate('Write', input)).toBe('open');
  });

  it('is closed before the first commit, and when git cannot be asked', async () => {
    const fresh = join(scratch.path, 'fresh');
    mkdirSync(fresh);
    await git(fresh, ['init', '--quiet']);
    expect(await gate('Write', { file_path: join(fresh, 'a.py') })).toContain('no tests are committed yet');
    expect(await gate('Edit', { file_path: join(project, 'src/main.py') }, { PATH: '/nowhere' })).toContain(
      'could not be asked',
    );
  });

  it('opens when it is switched off', async () => {
    expect(await gate('Write', { file_path: join(project, 'src/main.py') }, { EPTI_GATE: 'off' })).toBe('open');
  });
});

describe('the hook of promptctl', () => {
  const hook = (payload: object, environment?: Record<string, string>) =>
    runHook('promptctl/hooks/promptctl.mjs', payload, environment);
  const rules = (text: string) => put('.promptctl/rules.json', text);
  const log = () =>
    readFileSync(join(project, '.promptctl/log.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('is wired to every event that it promises', () => {
    const { hooks } = JSON.parse(readFileSync(join(plugins, 'promptctl/hooks/hooks.json'), 'utf8'));
    expect(Object.keys(hooks)).toHaveLength(16);
  });

  it.each(['Notification', 'SubagentStart', 'SubagentStop', 'PermissionRequest', 'PermissionDenied', 'StopFailure'])(
    'logs %s, which other tests do not reach',
    async (event) => {
      expect((await hook({ hook_event_name: event, message: 'm' })).code).toBe(0);
      expect(log()).toMatchObject([{ event, session: 's', decision: 'pass', payload: { message: 'm' } }]);
      expect(readFileSync(join(project, '.promptctl/.gitignore'), 'utf8')).toBe('*\n');
      expect(statSync(join(project, '.promptctl/log.jsonl')).mode & 0o077).toBe(0);
    },
  );

  it('cuts long texts in the log', async () => {
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'x'.repeat(5000) });
    expect(log()[0].payload.prompt).toBe(`${'x'.repeat(2000)}… (5000 characters)`);
  });

  it('blocks what a rule names, and nothing beside it', async () => {
    rules('{"rules":[{"event":"PreToolUse","tool":"Bash","contains":"git push","reason":"No."}]}');
    const bash = (command: string, tool = 'Bash') =>
      hook({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { command } });
    expect(await bash('GIT PUSH origin')).toMatchObject({ code: 2, stderr: 'No.' });
    expect((await bash('git pull')).code).toBe(0);
    expect((await bash('git push', 'Other')).code).toBe(0);
    expect(log().map(({ decision }) => decision)).toEqual(['block', 'pass', 'pass']);
  });

  it('lets a stop happen that it has blocked once', async () => {
    const stop = (active: boolean) =>
      hook(
        { hook_event_name: 'Stop', stop_hook_active: active, last_assistant_message: 'done' },
        { PROMPTCTL_BLOCK: 'Stop' },
      );
    expect((await stop(false)).code).toBe(2);
    expect((await stop(true)).code).toBe(0);
  });

  it.each([
    ['{', 'not valid JSON'],
    ['{"rule":[]}', 'must hold'],
    ['{"rules":[{"event":"PostToolUse"}]}', 'cannot be blocked'],
    ['{"rules":[{"event":"PreToolUse","contain":"x"}]}', 'unknown field "contain"'],
    ['{"rules":[{"event":"Stop","tool":"Bash"}]}', 'belongs to PreToolUse'],
    ['{"rules":[{"event":"Stop","reason":7}]}', 'must be a text'],
  ])('says what is wrong with the rules %s, and blocks until it is right', async (text, why) => {
    rules(text);
    expect(await hook({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why),
    });
    expect((await hook({ hook_event_name: 'PostToolUse' })).code).toBe(0);
  });
});

describe('the browser-tools server of visual-iteration', () => {
  async function connect(environment: Record<string, string> = {}) {
    const client = new Client({ name: 'test', version: '1' });
    const server = join(plugins, 'visual-iteration/servers/browser-tools.mjs');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [server],
        cwd: project,
        env: scrubbedEnvironment(environment),
        stderr: 'ignore',
      }),
    );
    return client;
  }
  const textOf = (result: object) => JSON.stringify(result);

  it('lists its tools and answers through a real MCP client', async () => {
    const page = createServer((_, response) => response.end('<title>A page</title>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const client = await connect();
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['navigate', 'screenshot']);
      expect(textOf(await client.callTool({ name: 'navigate', arguments: { url } }))).toContain('A page');
      const shot = await client.callTool({ name: 'screenshot', arguments: {} });
      expect(shot.content).toMatchObject([{ type: 'image', mimeType: 'image/png' }, { type: 'text' }]);
      expect(readFileSync(join(project, 'screenshots/page-1.png')).subarray(1, 4).toString()).toBe('PNG');
    } finally {
      await client.close();
      page.closeAllConnections();
      page.close();
    }
  });

  it.each([
    ['navigate', { url: 'file:///etc/passwd' }, 'not an http(s) address'],
    ['navigate', { url: 'http://127.0.0.1:9/' }, 'Is the development server running?'],
    ['screenshot', { filename: '../../up.png' }, 'must be a plain name'],
    ['screenshot', { filename: 'run.sh' }, 'must be a plain name'],
  ])('refuses %s %j', async (name, args, why) => {
    const client = await connect();
    try {
      expect(await client.callTool({ name, arguments: args })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(why) }],
      });
      expect(existsSync(join(project, 'screenshots'))).toBe(false);
    } finally {
      await client.close();
    }
  });

  it('takes pictures that tell when the page changed', async () => {
    const made = createProject(join(scratch.path, 'board'), { type: 'web-app', language: 'javascript' });
    const board = await startProjectServer(made);
    const client = await connect();
    const shoot = async (filename: string) => {
      expect((await client.callTool({ name: 'screenshot', arguments: { filename } })).isError ?? false).toBe(false);
      return readFileSync(join(project, 'screenshots', filename)).toString('base64');
    };
    try {
      expect(textOf(await client.callTool({ name: 'navigate', arguments: { url: board.url } }))).toContain(
        'Task Board',
      );
      const first = await shoot('board-1.png');
      expect(await shoot('board-2.png')).toBe(first);
      const styles = join(made.folder, 'static/styles.css');
      writeFileSync(styles, readFileSync(styles, 'utf8').replace('8px 32px', '8px 24px'));
      expect(await shoot('board-3.png')).not.toBe(first);
    } finally {
      await client.close();
      await board.stop();
    }
  });

  it('does not start when the browser that was named is not there', async () => {
    await expect(connect({ BROWSER_TOOLS_CHROMIUM: join(scratch.path, 'no-chromium') })).rejects.toThrow();
  });

  it('passes calls on to a real server under the names that it has there', async () => {
    const fake = join(scratch.path, 'fake-server.mjs');
    writeFileSync(
      fake,
      `import { createInterface } from 'node:readline';
      const answers = {
        initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'fake', version: '1' } }),
        'tools/list': () => ({ tools: ['browser_navigate', 'browser_take_screenshot', 'browser_click'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
        'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify({ params, flags: process.argv.slice(2) }) }] }),
      };
      createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }));
      });`,
    );
    const client = await connect({
      BROWSER_TOOLS_CHROMIUM: process.execPath,
      BROWSER_TOOLS_SERVER: `${process.execPath} ${fake}`,
    });
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        'navigate',
        'screenshot',
        'browser_click',
      ]);
      const seen = textOf(await client.callTool({ name: 'screenshot', arguments: { filename: 'a.png' } }));
      expect(seen).toContain('browser_take_screenshot');
      expect(seen).toContain('screenshots/a.png');
      expect(seen).toContain(`--executable-path\\",\\"${process.execPath}`);
    } finally {
      await client.close();
    }
  });

  const chromium =
    process.env['BROWSER_TOOLS_CHROMIUM'] ?? optionalProgram('chromium', 'the picture of a real browser');

  it.skipIf(chromium === undefined)('takes a picture with a real browser', async () => {
    const page = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<title>Real</title><h1>Real</h1>'),
    );
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const client = await connect({
      HOME: scratch.path,
      BROWSER_TOOLS_CHROMIUM: chromium ?? '',
      BROWSER_TOOLS_SERVER: process.env['BROWSER_TOOLS_SERVER'] ?? '',
    });
    try {
      const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
      expect(textOf(await client.callTool({ name: 'navigate', arguments: { url } }))).toContain('Real');
      await client.callTool({ name: 'screenshot', arguments: { filename: 'real.png' } });
      expect(readFileSync(join(project, 'screenshots/real.png')).subarray(1, 4).toString()).toBe('PNG');
    } finally {
      await client.close();
      page.closeAllConnections();
      page.close();
    }
  });
});
