import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { checksOf } from '../../packages/verdict/src/results/entry-result.js';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('program-steps');
});
afterEach(() => scratch.remove());

async function play(rehearsal: string, stage: string) {
  writeFiles(scratch.path, { 'a.rehearsal.toml': rehearsal });
  const { stdout, stderr } = await runUnderstudy(['run', '--stage', stage, '--json'], { cwd: scratch.path });
  const [entry] = runResultSchema.parse(JSON.parse(stdout === '' ? stderr : stdout)).entries;
  if (entry === undefined) throw new Error(stdout);
  const red = checksOf(entry).filter(({ status }) => status !== 'passed');
  return { entry, status: entry.status, red: red.map(({ name, status }) => `${status}: ${name}`) };
}

const MIXED = `
[[responses]]
pattern = { type = "contains", text = "write a program" }
response = { text = "Here it is.", tool_calls = [
  { tool = "Write", input = { file_path = "{{cwd}}/ask.sh", content = "claude -p \\"is it ready?\\"; git commit -qam ready" } },
] }
[[responses]]
pattern = { type = "contains", text = "ready?" }
max_matches = 2
response = "It is."

[[steps]]
send = "write a program"
expect = { files = [{ path = "ask.sh", change = "created" }] }
[[steps]]
run = "git add . && sh ask.sh"
[steps.expect]
stdout = "It is."
files = [{ path = "ask.sh", change = "unchanged" }]
commits = { count = 1, message = "ready" }
calls = { count = 1 }
call = [{ told = { message = "ready?" }, json = { type = "string" } }]
[[steps]]
run = ["claude", "-p", "ready?"]
stdin = "more"
state = "session"
[steps.expect]
call = [{ prompt = "ready?\\nmore", stdin = "more" }]
`;

describe.each(['sim', 'scripted'] as const)('on %s', (stage) => {
  beforeEach(async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
  });

  it('mixes what is said and what is run in one project', async () => {
    const { red, entry } = await play(`project = { git = true, files = { "a.txt" = "a" } }\n${MIXED}`, stage);
    // That the answer is JSON cannot hold: it is a check of a turn, and works on a call as well.
    expect({ red, error: entry.error }).toEqual({ red: ['failed: call 1: JSON output'], error: undefined });
    expect(entry.steps.map(({ run }) => run?.calls.map(({ agent, prompt }) => [agent, prompt]))).toEqual([
      undefined,
      [['claude', 'is it ready?']],
      [['claude', 'ready?\nmore']],
    ]);
  });
});

it('does not judge what a call does not tell', async () => {
  const { red } = await play(
    `[[responses]]
pattern = { type = "any" }
response = "Hi."
[[steps]]
run = ["claude", "-p", "hello", "--output-format", "stream-json", "--verbose"]
expect = { call = [{ hooks = [{ event = "Stop", fired = false }], tools = { none = ["Bash"] } }] }
`,
    'sim',
  );
  expect(red).toEqual(['unjudged: call 1: hook']);
});

it('fails when a program asks a real model, an agent that is not in place, or never ends', async () => {
  const { red } = await play(
    `allow_unused = true
[[responses]]
pattern = { type = "any" }
response = "Hi."
[[steps]]
run = "curl -s https://api.anthropic.com/v1/models || python3 -c 'import urllib.request as u; u.urlopen(\\"https://api.anthropic.com\\")'; true"
[[steps]]
run = ["sleep", "600"]
timeout_ms = 100
`,
    'sim',
  );
  expect(red).toEqual(['failed: no real service', 'failed: exit code', 'unjudged: leftovers']);
});
