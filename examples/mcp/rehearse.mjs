// Rehearses a plugin over MCP, with the official client: `node examples/mcp/rehearse.mjs` after a build.
// It checks itself: anything unexpected ends it with an error.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [here('../../dist/bin/understudy.js'), 'mcp'],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
  }),
);

async function call(name, args = {}) {
  const { isError, content, structuredContent } = await client.callTool(
    { name, arguments: args },
    { timeout: 120_000 },
  );
  console.log(`${name}: ${content[0].text.split('\n')[0]}`);
  assert.ok(!isError, content[0].text);
  return structuredContent;
}

const { project_path } = await call('create_test_project', { project_type: 'cli', language: 'python' });
await call('setup_git_repo', { project_path });
const { session_id } = await call('start_conversation', {
  config: {
    project: project_path,
    plugins: [here('../marketplace/plugins/agent-loop')],
    workflow: 'agent-loop',
    scenario: {
      responses: [
        {
          pattern: { type: 'command', name: 'explore' },
          response: {
            text: 'A systematic investigation of the project. Next, run /plan.',
            tool_calls: [{ tool: 'Glob', input: { pattern: '**/*.py' } }],
          },
        },
      ],
    },
  },
});
const { response, workflow_stage } = await call('execute_command', {
  command: '/explore',
  args: 'all of it',
  session_id,
});
assert.equal(workflow_stage, 'exploring');
const suggested = await call('assert_command_suggested', { response, command_name: '/plan' });
assert.equal(suggested.passed, true);
const { unused_rules } = await call('end_conversation', { session_id });
assert.deepEqual(unused_rules, []);
await client.close();
