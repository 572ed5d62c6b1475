import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
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

/** A program that says two things at once. */
const HASTY = PROGRAM.replace("prompt: 'Say hello'", 'prompt: both()').concat(`
async function* both() {
  for (const content of ['Say hello', 'Be brief'])
    yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' };
}
`);
const BRIEF = REHEARSAL.replace('"Hello, SDK.", tool_calls', '"Working.", then = { text = "Hello, SDK." }, tool_calls')
  .replace(
    '[[steps]]',
    '[[responses]]\npattern = { type = "exact", text = "Be brief" }\nresponse = { text = "Hello." }\n[[steps]]',
  )
  .replace('stdout = "Hello, SDK."', 'stdout = { equals = "Hello.\\n" }');

async function play(stage: string, program = PROGRAM, rehearsal = REHEARSAL) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'agent-sdk-run-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'agent.mjs'), program);
  writeFileSync(join(cwd, 'a.rehearsal.toml'), rehearsal);
  writeFileSync(join(cwd, 'b.rehearsal.toml'), rehearsal.replace('all = ["Bash"]', 'all = ["Read"]'));
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

it.skipIf(sdk === undefined)(
  'hears within the turn what a program says while the agent works, and refuses it on sim',
  { timeout: 120_000 },
  async (context) => {
    for (const red of await play('sim', HASTY, BRIEF)) expect(red).toContain('unsupported');
    await realAgent('claude', context);
    expect(await play('scripted', HASTY, BRIEF)).toEqual([[], ['call 1: tools: all']]);
  },
);
