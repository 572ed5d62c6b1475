import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import { runRehearsals } from '../faults/play.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';

/** What can be checked of a turn, on the stand-in and on the real Claude Code: sound twins, and faults that must be red. */
let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('turn-checks');
  writeFiles(scratch.path, FILES);
  chmodSync(join(scratch.path, 'bin', 'own-tool'), 0o755);
});
afterAll(() => scratch.remove());

const hook = (command: string, matcher?: string) => ({ matcher, hooks: [{ type: 'command', command }] });
const LINT = JSON.stringify({
  decision: 'block',
  reason: 'mend the style',
  hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'the style guide' },
});

const RULES = `
[[responses]]
pattern = { type = "contains", text = "begin" }
response = { tool_calls = [
  { tool = "Bash", input = { command = "own-tool" } },
  { tool = "Skill", input = { skill = "kit:greet" } },
], then = [
  { feedback = "something else", response = "The wrong branch." },
  { feedback = "mend the style", response = "I mend it." },
  { response = "Nobody told me." },
] }

[[responses]]
pattern = { type = "contains", text = "delegate" }
response = { tool_calls = [
  { tool = "Agent", input = { description = "d", prompt = "help out", subagent_type = "kit:helper", run_in_background = false } },
], then = "Delegated." }

[[responses]]
pattern = { type = "contains", text = "help out" }
response = "Helped."
`;

const [DOCUMENTED = ''] = [...readFileSync('docs/checks.md', 'utf8').matchAll(/^```toml\n([\s\S]*?)^```$/gm)].map(
  ([, body]) => body ?? '',
);

const FILES = {
  'documented.rehearsal.toml': DOCUMENTED,
  'bin/own-tool': '#!/bin/sh\necho "the word is $MY_WORD"\n',
  'kit/.claude-plugin/plugin.json': '{ "name": "kit", "version": "1.0.0" }',
  'kit/hooks/hooks.json': JSON.stringify({
    hooks: {
      UserPromptSubmit: [hook('echo "context of the prompt"')],
      PostToolUse: [hook(`echo '${LINT}'`, 'Bash')],
    },
  }),
  'kit/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets people\n---\nSay hello first.\n',
  'kit/commands/hi.md': '---\ndescription: Says hi\n---\nSay hi to $ARGUMENTS.\n',
  'kit/agents/helper.md': '---\nname: helper\ndescription: Helps with all\n---\nYou are the helper.\n',
  'stop/.claude-plugin/plugin.json': '{ "name": "stop", "version": "1.0.0" }',
  'stop/hooks/hooks.json': JSON.stringify({
    hooks: { PostToolBatch: [hook(`echo '{ "decision": "block", "reason": "enough" }'`)] },
  }),
  'sound.rehearsal.toml': `plugins = ["kit"]
env = { MY_WORD = "banana", PATH = ["bin"] }
${RULES}
[[steps]]
send = "begin"
[steps.expect]
says = "I mend it."
skills = ["greet"]
subagents = { none = ["helper"] }
hooks = [{ event = "PostToolUse", on = "Bash", reason = "mend the style", stdout = "block", count = 1 }]
hook_order = ["UserPromptSubmit", "PostToolUse:Bash"]
[steps.expect.told]
system = ["kit:greet: Greets people", "kit:helper: Helps with all"]
message = ["Say hello first.", "mend the style", "the style guide", "context of the prompt", "the word is banana"]
tools = ["Bash", "Skill"]
[steps.expect.told_not]
message = "You are the helper."
tools = ["TodoWrite"]

[[steps]]
send = "delegate"
[steps.expect]
subagents = ["kit:helper"]
skills = { none = ["greet"] }
told = { agent = "helper", system = "You are the helper.", message = "help out" }
`,
  'faults.rehearsal.toml': `plugins = ["kit"]
env = { MY_WORD = "apple", PATH = ["bin"] }
allow_unused = true
${RULES}
[[steps]]
send = "begin"
[steps.expect]
says = "Nobody told me."
skills = ["farewell"]
subagents = ["helper"]
hooks = [
  { event = "PostToolUse", on = "Bash", reason = "all is well" },
  { event = "PostToolUse", on = "Bash", stdout = "approve" },
  { event = "PostToolUse", on = "Bash", count = 2 },
]
hook_order = ["PostToolUse:Bash", "UserPromptSubmit"]
[steps.expect.told]
message = ["Say goodbye first.", "the word is banana"]
tools = ["NoSuchTool"]
[steps.expect.told_not]
system = "Greets people"
message = "Say hello first."
tools = ["Bash"]
`,
  'after-an-unmatched-then.rehearsal.toml': `allow_unanswered = true
[[responses]]
pattern = { type = "contains", text = "first" }
response = { tool_calls = [{ tool = "Bash", input = { command = "echo out" } }], then = [
  { expect = { type = "contains", text = "something else" }, response = "Never." },
] }
[[responses]]
pattern = { type = "contains", text = "second" }
response = "Two."

[[steps]]
send = "first"
expect = { outcome = "failed" }
[[steps]]
send = "second"
expect = { says = "Two." }
`,
  'after-a-stopped-batch.rehearsal.toml': `plugins = ["stop"]
[[responses]]
pattern = { type = "contains", text = "first" }
response = { tool_calls = [{ tool = "Bash", input = { command = "echo out" } }], text = "Never." }
[[responses]]
pattern = { type = "contains", text = "second" }
response = "Two."

[[steps]]
send = "first"
expect = { hooks = [{ event = "PostToolBatch", blocked = true, reason = "enough" }] }
[[steps]]
send = "second"
expect = { says = "Two.", told = { message = ["out", "hook stopped continuation: enough"] } }
`,
  'commands-of-failed-turns.rehearsal.toml': `plugins = ["kit"]
allow_unanswered = true
[[responses]]
pattern = { type = "contains", text = "Ada" }
failure = { type = "context_length" }

[[steps]]
send = "/hi Bob"
expect = { outcome = "failed", command = { name = "hi", expands_to = "Say hi to Bob." } }
[[steps]]
send = "/hi Ada"
expect = { outcome = "failed", reason = "api_error", command = { name = "hi", expands_to = "Say hi to Ada." } }
[[steps]]
send = "/high Bob"
expect = { outcome = "failed", reason = "unknown_command" }
[[steps]]
send = "/high Ada"
expect = { outcome = "failed", reason = "unknown_command" }
`,
};

describe.each(['sim', 'scripted'])('on %s', (stage) => {
  it('the sound ones are green, and every fault is red', async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const { entries } = await runRehearsals(['.'], stage, scratch.path);
    const failures = Object.fromEntries(entries.map((entry) => [entry.file?.replace(/.*\/|\..*/g, ''), failed(entry)]));
    expect(failures).toEqual({
      sound: [],
      documented: [],
      'after-an-unmatched-then': [],
      'after-a-stopped-batch': [],
      'commands-of-failed-turns': [],
      faults: [
        ...['says', 'told: message', 'told: message', 'told: tools'],
        ...['not told: system', 'not told: message', 'not told: tools'],
        ...['hook', 'hook', 'hook', 'hooks: order', 'skills: all', 'subagents: all'],
      ].sort(),
    });
  });
});

/** The names of the checks that failed, sorted. What could not be judged is named so. */
function failed({ steps, checks, error }: EntryResult): string[] {
  if (error !== undefined) return [error.message];
  return [...steps.flatMap((step) => step.checks), ...checks]
    .filter(({ status }) => status !== 'passed')
    .map(({ name, status }) => (status === 'failed' ? name : `${name} (${status})`))
    .sort();
}
