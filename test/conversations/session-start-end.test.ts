import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { checksOf, type EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';

/** A server that is slower than the CLI is patient: without a wait its tools are not there for the first prompt. */
const SLOW_SERVER = `
setTimeout(() => {
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answers = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
    };
    const result = answers[method] ?? { content: [{ type: 'text', text: 'hello from the server' }] };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
}, 2700);
`;

const command = (text: string) => [{ hooks: [{ type: 'command', command: text }] }];

/** A rehearsal in which the model calls a tool of a server. */
const greeting = (plugin: string, tool: string, rest: string) => `plugins = ["${plugin}"]
${rest}
[[responses]]
pattern = { type = "contains", text = "greet" }
response = { tool_calls = [{ tool = "${tool}" }], then = "Done." }
[[steps]]
send = "please greet"
[steps.expect]
`;
const hello = (plugin: string, rest: string) =>
  `plugins = ["${plugin}"]\n${rest}\n[[responses]]\npattern = { type = "any" }\nresponse = "Hello."\n[[steps]]\nsend = "hello"\n`;

const REHEARSALS = {
  'slow-server': greeting('slow', 'mcp__plugin_slow_late__greet', '').concat(
    'tools = { calls = [{ tool = "mcp__plugin_slow_late__greet", status = "ok" }] }\nmcp_servers = ["late"]\n',
  ),
  'start-and-end': hello(
    'hooked',
    `[start.expect]
hooks = [{ event = "SessionStart", exit_code = 0 }]
files = [{ path = "started.txt", change = "created" }]
[end.expect]
hooks = [{ event = "SessionEnd", exit_code = 0 }]
files = [{ path = "ended.json", contains = "SessionEnd" }]
leftovers = ["sleep 600"]`,
  ).concat('expect = { files = [{ path = "started.txt", change = "unchanged" }] }\n'),
  'wrong-start-and-end': hello(
    'hooked',
    `[start.expect]
hooks = [{ event = "SessionStart", exit_code = 7 }]
[end.expect]
hooks = [{ event = "SessionEnd", fired = false }]
files = [{ path = "never.json" }]
leftovers = "none"`,
  ),
  'broken-server': hello('offline', '').concat('expect = { mcp_servers = ["database"] }\n'),
  'absent-and-mocked': greeting(
    'offline',
    'mcp__plugin_offline_remote__greet',
    `[start.expect]
mcp_servers = ["remote"]
[mcp.database]
absent = true
[mcp.remote.tools]
greet = "hello from the mock"
refuse = { error = "not today" }`,
  ).concat('tools = { calls = [{ tool = "mcp__plugin_offline_remote__greet", status = "ok" }] }\n'),
  'absent-misspelt': hello('offline', '[mcp.databas]\nabsent = true\n'),
};

describe.each(['sim', 'scripted'] as const)('on %s', (stage) => {
  let scratch: Scratch;
  let entries: Map<string, EntryResult>;

  beforeAll(async () => {
    if (stage === 'scripted' && (await realAgent('claude')) === undefined) return;
    scratch = createScratch('start-end');
    writePlugin(scratch.path, 'slow', {
      '.mcp.json': { mcpServers: { late: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/server.cjs'] } } },
      'server.cjs': SLOW_SERVER,
    });
    writePlugin(scratch.path, 'hooked', {
      'hooks/hooks.json': {
        hooks: {
          SessionStart: command('echo hi > started.txt; sleep 600 > /dev/null 2>&1 & echo started'),
          SessionEnd: command('cat > ended.json'),
        },
      },
    });
    writePlugin(scratch.path, 'offline', {
      '.mcp.json': {
        mcpServers: {
          database: { command: 'node', args: ['-e', 'console.error("cannot reach the database"); process.exit(3)'] },
        },
      },
      // A server of the network, named by the manifest.
      '.claude-plugin/plugin.json': {
        ...{ name: 'offline', version: '1.0.0' },
        mcpServers: { remote: { type: 'http', url: 'http://127.0.0.1:9/mcp' } },
      },
    });
    writeFiles(
      scratch.path,
      Object.fromEntries(Object.entries(REHEARSALS).map(([name, text]) => [`${name}.rehearsal.toml`, text])),
    );
    const { stdout } = await runUnderstudy(['run', '--stage', stage, '--workers', '2', '--json'], {
      cwd: scratch.path,
    });
    const run = runResultSchema.parse(JSON.parse(stdout));
    entries = new Map(run.entries.map((entry) => [entry.name.replace('.rehearsal.toml', ''), entry]));
  }, 180_000);
  afterAll(() => scratch?.remove());

  /** The status, and what went wrong. */
  function outcome(name: keyof typeof REHEARSALS, skip: (reason: string) => void) {
    if (entries === undefined) skip('the real CLI cannot be had');
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`${name} did not run`);
    const wrong = checksOf(entry).filter(({ status }) => status !== 'passed');
    return {
      status: entry.status,
      wrong: wrong.map((check) => `${check.name} is ${check.status}: ${check.actual}`),
      ...(entry.error === undefined ? {} : { error: entry.error }),
    };
  }

  it('waits for slow MCP servers before the first prompt', ({ skip }) => {
    expect(outcome('slow-server', skip)).toEqual({ status: 'passed', wrong: [] });
  });

  it('sees the start and the end of a session, and keeps them out of the turns', ({ skip }) => {
    expect(outcome('start-and-end', skip)).toEqual({ status: 'passed', wrong: [] });
  });

  it('fails where the start or the end is not as expected', ({ skip }) => {
    expect(outcome('wrong-start-and-end', skip)).toMatchObject({
      status: 'failed',
      wrong: [
        expect.stringContaining('start: hook is failed: SessionStart:startup success (exit 0)'),
        expect.stringContaining('end: hook is failed: SessionEnd:other success (exit 0)'),
        'end: file is failed: never.json was not changed',
        expect.stringContaining('end: leftovers is failed: sleep 600'),
      ],
    });
  });

  it('shows what a server wrote that did not come up', ({ skip }) => {
    expect(outcome('broken-server', skip)).toMatchObject({
      status: 'failed',
      wrong: expect.arrayContaining([
        expect.stringMatching(/^MCP server up is failed: database is failed: .*cannot reach the database/),
      ]),
    });
  });

  it('is green offline with servers that are absent or mocked, and refuses a misspelt one', ({ skip }) => {
    expect(outcome('absent-and-mocked', skip)).toEqual({ status: 'passed', wrong: [] });
    expect(outcome('absent-misspelt', skip)).toMatchObject({
      status: 'error',
      error: { code: 'MCP_SERVER_UNKNOWN', fix: 'Did you mean "database"?' },
    });
  });
});
