import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { loadScenario } from '../../packages/script/src/load.js';
import { startModelServer } from '../../src/public/model-server.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** Copilot unpacks itself before its first turn on a machine. */
const PATIENCE = { timeout: 240_000 };

const copilot = await realAgent('copilot');

function folder(files: Record<string, string>): string {
  const scratch = createScratch('copilot');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, files);
  return scratch.path;
}

/** What was seen in the only conversation of a run. */
function eventsIn(cwd: string): { type: string }[] {
  const runs = join(cwd, '.understudy/runs');
  const names = readdirSync(runs, { recursive: true, encoding: 'utf8' });
  const log = names.find((name) => name.endsWith('/events.jsonl')) ?? '';
  return readFileSync(join(runs, log), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const RESPONSES = `
[[responses]]
pattern = { type = "contains", text = "greet" }
response = { text = "I wrote it.", tool_calls = [
  { tool = "write", input = { path = "greeting.txt", content = "Hello.\\n" } },
  { tool = "shell", input = { command = "cat greeting.txt; exit 3" } } ] }
`;

describe.skipIf(copilot === undefined)('the real Copilot', () => {
  it('holds a conversation of two turns, and its tools really run', PATIENCE, async () => {
    const cwd = folder({
      'a.rehearsal.toml': `name = "greeting"
agent = "copilot"
${RESPONSES}turns = [{ expect = { type = "exact", text = "again" }, response = "Once more." }]
[[steps]]
send = "greet me"
expect = { says = "I wrote it.", tools = { all = ["write", "shell"] } }
[[steps]]
send = "again"
expect = { says = "Once more." }
`,
    });
    const { code, stdout } = await runUnderstudy(['run', '.'], { cwd });
    expect(stdout).toContain('1 passed');
    expect(code).toBe(0);
    expect(eventsIn(cwd).filter(({ type }) => /^tool_|file_changed|unknown/.test(type))).toMatchObject([
      { type: 'tool_call', tool: 'create', input: { file_text: 'Hello.\n' } },
      { type: 'tool_call', tool: 'bash' },
      { type: 'tool_result', tool: 'create', status: 'ok' },
      { type: 'tool_result', tool: 'bash', status: 'error', exitCode: 3, text: expect.stringContaining('Hello.') },
      { type: 'file_changed', path: 'greeting.txt', after: 'Hello.\n' },
    ]);
  });

  it('is red where its model fails, and where no rule answers, with the prompt', PATIENCE, async () => {
    const rehearsal = (send: string) => `name = "${send}"
agent = "copilot"
[[responses]]
pattern = { type = "exact", text = "fail" }
failure = { type = "context_length" }
optional = true
[[steps]]
send = "${send}"
`;
    const cwd = folder({ 'a.rehearsal.toml': rehearsal('fail'), 'b.rehearsal.toml': rehearsal('nobody knows') });
    const { code, stdout } = await runUnderstudy(['run', '.'], { cwd });
    expect(stdout).toContain('fail a.rehearsal.toml:7:1\n  step 1, outcome: expected completed, seen failed');
    expect(stdout).toContain('no rule of the scenario answers the prompt "nobody knows"');
    expect(code).toBe(1);
  });

  it('is called by a program, in a run step and under exec', PATIENCE, async () => {
    const call = 'copilot -p "greet me" --allow-all --output-format json > out.jsonl';
    const cwd = folder({
      'a.rehearsal.toml': `name = "a program"
agents = ["copilot"]
${RESPONSES}
[[steps]]
run = ${JSON.stringify(call)}
[steps.expect]
calls = { count = 1 }
[[steps.expect.call]]
agent = "copilot"
prompt = { equals = "greet me" }
says = "I wrote it."
tools = { all = ["write", "shell"] }
`,
      's.toml': RESPONSES,
    });
    const { code, stdout } = await runUnderstudy(['run', '.'], { cwd });
    expect(stdout).toContain('1 passed');
    expect(code).toBe(0);
    const exec = ['exec', '--stage', 'scripted', '--agent', 'copilot', '--scenario', 's.toml', '--', 'sh', '-c', call];
    expect(await runUnderstudy(exec, { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'greeting.txt'), 'utf8')).toBe('Hello.\n');
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toContain('I wrote it.');
  });

  it('plays what was recorded of a provider of the user', PATIENCE, async () => {
    const provider = await startModelServer({ scenario: loadScenario('examples/serve/greeting.toml') });
    onTestFinished(() => provider.close());
    const cwd = folder({
      'a.rehearsal.toml':
        'name = "x"\nagent = "copilot"\n[[steps]]\nsend = "write a greeting"\nexpect = { tools = { any = ["write"] } }\n',
    });
    const env = {
      COPILOT_PROVIDER_BASE_URL: `${provider.url}/v1`,
      COPILOT_PROVIDER_API_KEY: provider.key,
      COPILOT_MODEL: 'theirs',
    };
    const live = await runUnderstudy(['run', '.', '--stage', 'live', '--record'], { cwd, env });
    expect(live.code, live.stdout + live.stderr).toBe(0);
    const replay = await runUnderstudy(['run', '.', '--stage', 'replay'], { cwd });
    expect(replay.code, replay.stdout).toBe(0);
  });

  it('has no stand-in, and says so', async () => {
    const cwd = folder({
      'a.rehearsal.toml': `name = "x"\nagent = "copilot"\n${RESPONSES}\n[[steps]]\nsend = "greet"\n`,
    });
    const { code, stdout } = await runUnderstudy(['run', '.', '--stage', 'sim'], { cwd });
    expect(stdout).toContain('copilot cannot be played on the stage "sim"');
    expect(code).not.toBe(0);
  });
});
