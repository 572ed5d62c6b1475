import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const PATIENCE = { timeout: 90_000 };

const DENIAL = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'not on Fridays',
  },
};

/** A plugin whose hook asks a server about each command, and a rehearsal that expects its objection. */
function guarded(hook: object, more = '', plugin: Record<string, string> = {}): string {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, {
    'plugin/.claude-plugin/plugin.json': JSON.stringify({ name: 'guard', version: '1.0.0' }),
    'plugin/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } }),
    ...plugin,
    'policy.rehearsal.toml': `name = "policy"
plugins = ["plugin"]
${more}
[[responses]]
pattern = { type = "any" }
response = { text = "done", tool_calls = [{ tool = "Bash", input = { command = "echo hi" } }] }

[[steps]]
send = "go"
[steps.expect]
hooks = [{ event = "PreToolUse", on = "Bash", blocked = true, reason = { type = "contains", text = "Fridays" } }]
`,
  });
  return scratch.path;
}

const run = (cwd: string, ...more: string[]) => runUnderstudy(['run', '.', '--stage', 'scripted', ...more], { cwd });

it('a hook that asks a server is heard, and a dead server is seen', PATIENCE, async (context) => {
  await realAgent('claude', context);
  let answer: unknown = DENIAL;
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(JSON.parse(body));
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const folder = guarded({ type: 'http', url: `http://127.0.0.1:${port}/judge` });
  // A server of this machine is not there in a sandbox.
  const played = () => run(folder, '--isolation', 'none');
  expect(await played()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  expect(asked).toMatchObject([{ hook_event_name: 'PreToolUse', tool_input: { command: 'echo hi' } }]);
  answer = 'no';
  const unheard = await played();
  expect(unheard).toMatchObject({ code: 1, stdout: expect.stringContaining('hooks are alive') });
  expect(unheard.stdout).toContain('HTTP hook must return JSON, but got non-JSON response body: no');
  server.close();
  server.closeAllConnections();
  expect(await played()).toMatchObject({ code: 1, stdout: expect.stringContaining('connect ECONNREFUSED') });
});

it('a hook that calls a tool is heard, with a server of the rehearsal', PATIENCE, async (context) => {
  await realAgent('claude', context);
  const hook = {
    ...{ type: 'mcp_tool', server: 'plugin:guard:policy', tool: 'judge' },
    input: { command: `\${tool_input.command}` },
  };
  const declared = {
    'plugin/.mcp.json': JSON.stringify({ mcpServers: { policy: { command: 'node', args: ['x'] } } }),
  };
  const denies = `[mcp.policy.tools]\njudge = '${JSON.stringify(DENIAL)}'\n`;
  expect(await run(guarded(hook, denies, declared))).toMatchObject({ code: 0 });
  const fails = '[mcp.policy.tools]\njudge = { error = "The policy is lost." }\n';
  const failed = await run(guarded(hook, fails, declared));
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('hooks are alive') });
  expect(failed.stdout).toContain('The policy is lost.');
});
