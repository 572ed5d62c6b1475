import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { startModelServer } from '../../src/public/model-server.js';
import { startPostgres } from '../helpers/postgres.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram, runUnderstudy } from '../helpers/understudy.js';

const TINY = resolve('examples/agents/tiny');

const scratch = createScratch('own-agents');
afterAll(() => scratch.remove());

/** A copy of an example, in which the package is installed and some files are others. */
function project(name: string, files: Record<string, string> = {}): string {
  const folder = join(scratch.path, name);
  cpSync(TINY, folder, { recursive: true });
  writeFiles(folder, files);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/agent-understudy'));
  return folder;
}

const definition = readFileSync(join(TINY, 'agent.mjs'), 'utf8');

it('an agent of the user is played, called by programs, checked and listed', async () => {
  const cwd = project('green');
  const run = await runUnderstudy(['run', '.'], { cwd });
  expect(run.stdout).toContain('1 passed');
  expect(run.code).toBe(0);
  expect(await runUnderstudy(['check', '.'], { cwd })).toMatchObject({ code: 0 });
  const { stdout } = await runUnderstudy(['agents', '--try', '--json'], {
    cwd,
    env: { UNDERSTUDY_STORE: scratch.path },
  });
  const { agents } = JSON.parse(stdout) as { agents: { agent: string }[] };
  expect(agents.find(({ agent }) => agent === 'tiny')).toMatchObject({
    ...{ source: 'defined', version: '1.0.0', plays: true, chosen: true },
  });
});

it('is red for the right reason', async () => {
  const text = readFileSync(join(TINY, 'hello.rehearsal.toml'), 'utf8');
  const cwd = project('red', {
    'hello.rehearsal.toml': text.replace('says = "Hello"', 'says = "Goodbye"'),
    'b.rehearsal.toml': `name = "b"\nagent = "tiny"\n[[responses]]\npattern = { type = "exact", text = "x" }
response = "y"\noptional = true\n[[steps]]\nsend = "nobody knows"\n`,
    'c.rehearsal.toml': `name = "c"\nagent = "tiny"\ndefault_response = "y"\n[[steps]]\nsend = "x"\nexpect = { tools = { none = ["write"] } }\n`,
  });
  const { code, stdout } = await runUnderstudy(['run', '.'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/expected .*Goodbye.*/);
  expect(stdout).toContain('no rule of the scenario answers the prompt "nobody knows"');
  // It does not say that it tells of tools: then nobody knows that there was none.
  expect(stdout).toMatch(/tools: .*tiny does not report/);
});

it.each([
  ['absent', 'agents = ["./absent.mjs"]', '', /PART_UNUSABLE: there is no file .*absent\.mjs for an agent/],
  ['plain', undefined, 'export default { name: "tiny" };', /PART_UNUSABLE: .*agent\.mjs exports no agent/],
  ['newer', undefined, 'export default { understudy: "agent/2" };', /PART_UNUSABLE: .*was made for API 2/],
  ['ours', undefined, definition.replace("'tiny'", "'claude'"), /PART_UNUSABLE: .*its name is "claude"/],
])('is an error before anything runs: %s', async (name, config, module, message) => {
  const files = { ...(config === undefined ? {} : { 'understudy.toml': config }), 'agent.mjs': module };
  const cwd = project(name, files);
  // The other commands that know agents find them the same way.
  for (const command of name === 'plain' ? ['test', 'check', 'agents'] : ['run']) {
    const { code, stdout, stderr } = await runUnderstudy([command, ...(command === 'agents' ? [] : ['.'])], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toContain('fix: ');
  }
});

it.each([
  ['read', 'answer = JSON.parse(line);', 'throw new Error("no such field");', /failed in read\(\): no such field/],
  ['arguments', '[...args, prompt]', 'prompt', /failed in arguments\(\): it gave .* instead of a list of words/],
  ['model', '({ env:', '(null ?? { env: 3, was:', /failed in model\(\): it gave .* instead of \{ env, files, args \}/],
  ['late', 'verdict: (exit) =>', 'verdict: async (exit) =>', /failed in verdict\(\): it gave a promise/],
])('what goes wrong in it ends with 2 and names it: %s', async (name, good, bad, message) => {
  expect(definition).toContain(good);
  const cwd = project(name, { 'agent.mjs': definition.replace(good, bad) });
  const { code, stdout } = await runUnderstudy(['run', '.'], { cwd });
  expect(stdout).toMatch(message);
  expect(stdout).toMatch(/PART_FAILED: the agent \S*agent\.mjs/);
  expect(code).toBe(2);
});

it('is recorded and replayed', async () => {
  const provider = await startModelServer({ scenario: defineScenario({ default_response: 'Hello from afar.' }) });
  onTestFinished(() => provider.close());
  const cwd = project('replayed', {
    'agent.mjs': definition.replace("version: '1.0.0',", "version: '1.0.0', credentials: ['OPENAI_API_KEY'],"),
    'hello.rehearsal.toml': 'name = "x"\nagent = "tiny"\n[[steps]]\nsend = "hi"\nexpect.says = "from afar"\n',
  });
  const env = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: provider.key };
  const live = await runUnderstudy(['run', '.', '--stage', 'live', '--record'], { cwd, env });
  expect(live.code, live.stdout).toBe(0);
  const replay = await runUnderstudy(['run', '.', '--stage', 'replay'], { cwd });
  expect(replay.code, replay.stdout).toBe(0);
});

it('is given to runRehearsals as it is', async () => {
  const cwd = project('program', {
    'main.mjs': `import { runRehearsals } from 'agent-understudy';
import tiny from './agent.mjs';
const played = async (agents) => (await runRehearsals('own', { agent: agents, output: 'out' })).exit_code;
console.log(await played([tiny]), await played(['tiny']), await played([{ name: 'other' }]).catch(({ code }) => code));
`,
    'own/a.rehearsal.toml': 'name = "a"\ndefault_response = "Hello."\n[[steps]]\nsend = "hi"\nexpect.says = "Hello"\n',
  });
  const { stdout, stderr } = await runProgram([process.execPath, 'main.mjs'], { cwd });
  expect(stdout || stderr).toBe('0 0 PART_UNUSABLE\n');
});

const postgres = await startPostgres();
afterAll(() => postgres?.remove());

it.runIf(postgres)('is played by a worker whose folder names it, and by no other', async () => {
  const cwd = project('queue');
  const queue = ['--queue', postgres?.url ?? ''];
  expect(await runUnderstudy(['run', '.', ...queue], { cwd })).toMatchObject({ code: 0 });
  const other = await runUnderstudy(['worker', '--until-empty', ...queue], { cwd: scratch.path });
  expect(other.stdout).not.toContain('passed');
  const worker = await runUnderstudy(['worker', '--until-empty', '--agent', 'tiny', ...queue], { cwd });
  expect(worker.stdout, worker.stderr).toContain('passed: the smallest agent says hello tiny scripted');
});

it('may not leave out the model that a test asks for', async () => {
  const cwd = project('left-out', { 'understudy.toml': 'agents = ["./agent.mjs"]\nmodel = "tiny-2"\n' });
  const { code, stdout } = await runUnderstudy(['run', '.'], { cwd });
  expect(code).toBe(2);
  expect(stdout).toContain('failed in arguments(): it left out the model "tiny-2", which the test asks for');
});
