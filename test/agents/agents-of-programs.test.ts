import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { sample, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const stages = ['sim', ...(claude === undefined ? [] : ['scripted'])];
const PATIENCE = { timeout: 90_000 };

const rehearsal = (run: string, more = '', agent = 'claude'): string => `name = "a program"
agents = ["${agent}"]
[[responses]]
pattern = { type = "any" }
optional = true
response = "Hello."
[[steps]]
run = ${JSON.stringify(run)}
[steps.expect]
${more}
`;

/** Plays a program that calls an agent. */
function play(stage: string, run: string, more?: string, agent?: string) {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, { 'a.rehearsal.toml': rehearsal(run, more, agent) });
  return runUnderstudy(['run', '.', '--stage', stage], { cwd: scratch.path });
}

it(
  'is red where a stand-in refuses what the real agent can do, whatever the program makes of it',
  PATIENCE,
  async () => {
    const swallowed = 'claude doctor || true; claude -p x --worktree || true';
    const { code, stdout } = await play('sim', swallowed);
    expect(stdout).toContain('it refused 2 times');
    expect(stdout).toContain("claude doctor: error: the stand-in has no command 'doctor'");
    expect(stdout).toContain('claude -p x --worktree: error: the stand-in does not support option');
    expect(code).toBe(1);
    expect((await play('sim', swallowed, 'unsupported = "any"')).code).toBe(0);
    expect((await play('sim', 'claude -p x --nosuch || true')).code).toBe(0);
  },
);

it('is red where a host asks a stand-in for what only the real agent does', PATIENCE, async () => {
  const ask = (subtype: string) => {
    const request = JSON.stringify({ type: 'control_request', request_id: 'a', request: { subtype } });
    return `echo '${request}' | claude -p --input-format stream-json --output-format stream-json --verbose`;
  };
  const { code, stdout } = await play('sim', ask('get_status'));
  expect(stdout).toContain('the control request get_status');
  expect(code).toBe(1);
  // Nobody knows this one.
  expect((await play('sim', ask('get_nothing'))).code).toBe(0);
});

it('is red under exec, too', PATIENCE, async () => {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, { 's.toml': '[default_response]\ntext = "Hello."\n' });
  const exec = ['exec', '--stage', 'sim', '--scenario', 's.toml', '--', 'sh', '-c', 'claude doctor || true'];
  const { code, stderr } = await runUnderstudy(exec, { cwd: scratch.path });
  expect(stderr).toContain('not possible on sim: claude doctor');
  expect(code).toBe(1);
});

it.each(stages)('asks our model whatever the program makes of the variables, on %s', PATIENCE, async (stage) => {
  const calls = [
    'ANTHROPIC_API_KEY=sk-other claude -p x',
    'ANTHROPIC_BASE_URL=http://127.0.0.1:9 CLAUDE_CODE_USE_BEDROCK=1 claude -p x',
    'env -i PATH="$PATH" HOME="$HOME" claude -p x',
  ];
  const said = 'Hello.\\n'.repeat(calls.length);
  const { code, stdout } = await play(
    stage,
    calls.join(' && '),
    `stdout = { equals = "${said}" }\ncalls = { count = 3 }`,
  );
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
});

it('tells on sim whether somebody is logged in, as the scenario says', PATIENCE, async () => {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  const answer = '[default_response]\ntext = "Hello."\n';
  writeFiles(scratch.path, { 'in.toml': answer, 'out.toml': `logged_in = false\n${answer}` });
  const ask = 'codex login status 2>&1; echo $?';
  const exec = (scenario: string) =>
    runUnderstudy(['exec', '--stage', 'sim', '--scenario', scenario, '--', 'sh', '-c', ask], { cwd: scratch.path });
  expect((await exec('in.toml')).stdout).toMatch(/^API key configured.*\n.*\n0\n$/);
  expect((await exec('out.toml')).stdout).toMatch(/^Not logged in\n1\n$/);
});

const SEED = seedOr(1);
// Each over the wire of its own SDK: Anthropic, Responses, and Gemini. That of OpenRouter is not in every build of the
// pinned OpenCode: on Linux x64 it ends with "Unexpected server error" before it asks a model.
const MODELS = ['anthropic/claude-sonnet-4-5', 'openai/gpt-5.2', 'google/gemini-2.5-pro'];

it(`finds the models that OpenCode knows by their names, and no others`, PATIENCE, async (context) => {
  await realAgent('opencode', context);
  const models = sample(MODELS, 1, SEED);
  const ask = (model: string) => `opencode run --title t -m ${model} x`;
  const said = 'Hello.\\n'.repeat(models.length);
  const expected = `stdout = { equals = "${said}" }\ncalls = { count = ${models.length} }`;
  const { code, stdout } = await play('scripted', models.map(ask).join(' && '), expected, 'opencode');
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
  expect(await play('scripted', ask('anthropic/sonett'), 'calls = { count = 1 }', 'opencode')).toMatchObject({
    code: 1,
  });
});
