import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runResultSchema } from '../../src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { loadAgentSdk } from './agent-sdk/install.js';

const sdk = await loadAgentSdk();
const SDK = resolve('test/conformance/agent-sdk/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');

const PROGRAM = `import { execFileSync } from 'node:child_process';
import { query } from ${JSON.stringify(SDK)};
const claude = execFileSync('which', ['claude'], { encoding: 'utf8' }).trim();
const options = { pathToClaudeCodeExecutable: claude, permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true };
for await (const message of query({ prompt: 'Say hello', options }))
  if (message.type === 'result') console.log(message.result);
`;

const REHEARSAL = `name = "the Agent SDK"
agents = ["claude"]
[[responses]]
pattern = { type = "contains", text = "hello" }
response = { text = "Hello, SDK.", tool_calls = [{ tool = "Bash", input = { command = "true" } }] }
[[steps]]
run = ["node", "{{here}}/agent.mjs"]
[steps.expect]
stdout = "Hello, SDK."
calls = { count = 1, agent = "claude" }
[[steps.expect.call]]
prompt = "Say hello"
tools = { all = ["Bash"] }
`;

async function play(stage: string) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'agent-sdk-run-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'agent.mjs'), PROGRAM);
  writeFileSync(join(cwd, 'a.rehearsal.toml'), REHEARSAL);
  writeFileSync(join(cwd, 'b.rehearsal.toml'), REHEARSAL.replace('all = ["Bash"]', 'all = ["Read"]'));
  const { stdout } = await runUnderstudy(['run', '--stage', stage, '--json'], { cwd });
  return runResultSchema
    .parse(JSON.parse(stdout))
    .entries.map(({ steps: [step] }) =>
      step?.checks.filter(({ status }) => status !== 'passed').map(({ name }) => name),
    );
}

it.skipIf(sdk === undefined)(
  'sees the calls of the TypeScript Agent SDK in a run step',
  { timeout: 120_000 },
  async (context) => {
    expect(await play('sim')).toEqual([[], ['call 1: tools: all']]);
    await realAgent('claude', context);
    expect(await play('scripted')).toEqual([[], ['call 1: tools: all']]);
  },
);
