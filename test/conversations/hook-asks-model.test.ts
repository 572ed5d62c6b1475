import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const HOOK = `const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'is this allowed?' }] });
const headers = { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY, 'anthropic-version': '2023-06-01' };
await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body });
`;

it('says of a prompt that a hook sent to the model by itself that the agent did not ask it', async (context) => {
  await realAgent('claude', context);
  const scratch = createScratch('hook-asks-model');
  onTestFinished(() => scratch.remove());
  const hook = { type: 'command', command: 'node "${CLAUDE_PLUGIN_ROOT}/ask.mjs"' };
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{ "name": "asker" }',
    'hooks/hooks.json': JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }),
    'ask.mjs': HOOK,
    'a.rehearsal.toml': `plugins = ["."]
[[responses]]
pattern = { type = "exact", text = "hello" }
response = "Hi."
[[steps]]
send = "hello"
`,
  });
  const { code, stdout } = await runUnderstudy(['run', '--stage', 'scripted'], { cwd: scratch.path });
  expect(stdout).toContain('answers the prompt "is this allowed?". Not claude asked it, but a program that it started');
  expect(stdout).not.toContain('The agent asked');
  expect(code).toBe(1);
});
