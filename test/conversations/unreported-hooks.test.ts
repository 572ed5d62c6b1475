import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('untold-hooks');
afterAll(() => scratch.remove());

const REHEARSAL = `
name = "hooks that the CLI does not report"
agent = "claude"
[project.files]
"CLAUDE.md" = "Speak plainly."
"sub/a.txt" = "x"
".claude/settings.json" = '''{ "hooks": {
  "PreCompact": [{ "hooks": [{ "type": "command", "command": "if grep -q never; then echo not now >&2; exit 2; fi" }] }],
  "PostCompact": [{ "matcher": "manual", "hooks": [{ "type": "command", "command": "cat >/dev/null; echo after" }] }],
  "SessionStart": [{ "hooks": [{ "type": "command", "command": "cat >/dev/null" }] }],
  "InstructionsLoaded": [{ "hooks": [{ "type": "command", "command": "cat >/dev/null" }] }],
  "CwdChanged": [{ "hooks": [{ "type": "command", "command": "cat >/dev/null" }] }] } }'''
[[responses]]
pattern = { type = "contains", text = "go in" }
response = { text = "In.", tool_calls = [{ tool = "Bash", input = { command = "cd sub" } }] }
[[steps]]
send = "go in"
[steps.expect]
hooks = [
  { event = "CwdChanged" },
  { event = "InstructionsLoaded", on = "session_start" },
  { event = "PreCompact", fired = false },
]
[[steps]]
send = "/compact never"
[steps.expect]
hooks = [
  { event = "PreCompact", on = "manual", blocked = true, reason = "not now" },
  { event = "PostCompact", fired = false },
]
[[steps]]
send = "/compact"
[steps.expect]
hooks = [
  { event = "PreCompact", blocked = false },
  { event = "PostCompact", stdout = "after" },
  { event = "SessionStart", on = "compact" },
]
hook_order = ["PreCompact", "SessionStart:compact", "PostCompact"]
`;

async function play(text: string, stage: string) {
  writeFileSync(join(scratch.path, 'a.rehearsal.toml'), text);
  const run = await runUnderstudy(['run', 'a.rehearsal.toml', '--stage', stage, '--json'], { cwd: scratch.path });
  const [entry] = runResultSchema.parse(JSON.parse(run.stdout)).entries;
  const failed = entry?.steps.flatMap(({ number, checks }) =>
    checks.filter(({ status }) => status !== 'passed').map(({ name, actual }) => `${number} ${name}: ${actual}`),
  );
  return { status: entry?.status, failed };
}

it.for(['sim', 'scripted'])(
  'sees the hooks around /compact, which is a command that it knows, on %s',
  async (stage, context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    expect(await play(REHEARSAL, stage)).toEqual({ status: 'passed', failed: [] });
    const broken = REHEARSAL.replace('"matcher": "manual"', '"matcher": "auto"').replace(
      'grep -q never',
      'grep -q ever',
    );
    expect(await play(broken, stage)).toEqual({
      status: 'failed',
      failed: [
        '3 hook: PostCompact did not fire',
        expect.stringContaining('3 hooks: order: PreCompact:manual, SessionStart:compact'),
      ],
    });
  },
);
