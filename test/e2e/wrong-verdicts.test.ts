import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../src/process/scratch.js';
import type { EntryResult } from '../../src/results/entry-result.js';
import { runRehearsals } from '../faults/play.js';
import { PING_SERVER } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** Mistakes in a plugin or a rehearsal that were green once, each beside a sound twin where there is one. */
interface Row {
  /** A rule that calls the shell with this command. */
  shell?: string;
  /** More rules, and fields at the top. */
  top?: string;
  /** Hooks of the plugin `p`, by event. */
  hooks?: Record<string, unknown[]>;
  files?: Record<string, string>;
  steps: string;
  /** The checks that are not passed; none for a sound one. */
  red: string[];
}

const hook = (command: string, matcher?: string, more: object = {}) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command, ...more }],
});
const step = (send: string, expected = '') => `[[steps]]\nsend = "${send}"\n[steps.expect]\n${expected}\n`;
const write = `[[responses]]
pattern = { type = "contains", text = "write" }
response = { text = "Written.", tool_calls = [{ tool = "write", input = { path = "w.txt", content = "w" } }] }
`;
const AGENT = '---\nname: helper\ndescription: Helps\n---\nYou help.\n';
const delegate = `[[responses]]
pattern = { type = "contains", text = "go" }
response = { text = "Done.", usage = { input_tokens = 10, output_tokens = 1 }, tool_calls = [
  { tool = "Agent", input = { description = "d", prompt = "part of it", subagent_type = "p:helper", run_in_background = false } },
] }
[[responses]]
pattern = { type = "contains", text = "part of it" }
response = { text = "Helped.", usage = { input_tokens = 90000, output_tokens = 1 } }
`;

/** A project with these files. */
const project = (files: Record<string, string>): string =>
  `project = { files = { ${Object.entries(files)
    .map(([path, text]) => `${JSON.stringify(path)} = ${JSON.stringify(text)}`)
    .join(', ')} } }`;
const settings = (hooks: object, more: object = {}): string =>
  project({ '.claude/settings.json': JSON.stringify({ ...more, hooks }) });
const DEAD_PROJECT = ['project is sound'];

const ROWS: Record<string, Row> = {
  'a project with a hook of an event that does not exist': {
    shell: 'touch x',
    top: settings({ PreToolUze: [hook('exit 2', 'Bash')] }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with a guard whose matcher fits nothing': {
    shell: 'touch x',
    top: settings({ PreToolUse: [hook('exit 2', 'bash')] }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project whose settings are not JSON': {
    shell: 'touch x',
    top: project({ '.claude/settings.json': '{"hooks":' }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with a hook of a type that does not exist': {
    shell: 'touch x',
    top: settings({ Stop: [{ hooks: [{ type: 'comand', command: 'true' }] }] }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project whose settings are refused for a guard': {
    shell: 'touch x',
    top: settings({ PreToolUse: [hook('true', 'Bash', { timeout: '5' })] }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with a hook whose program is missing, and which never fires': {
    shell: 'touch x',
    top: settings({ PreToolUse: [hook('"$CLAUDE_PROJECT_DIR"/.claude/gone.sh', 'Write')] }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with an agent that the CLI cannot read': {
    shell: 'touch x',
    top: project({ '.claude/agents/bad.md': '---\nname: bad\ndescription: a: b "c\n <x>\n---\nYou help.\n' }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with an agent without a description': {
    shell: 'touch x',
    top: project({ '.claude/agents/bad.md': '---\nname: bad\n---\nYou help.\n' }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with a skill in small letters': {
    shell: 'touch x',
    top: project({ '.claude/skills/g/skill.md': '---\nname: g\ndescription: Greets\n---\nSay hello.\n' }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with a command that the CLI gives up': {
    shell: 'touch x',
    top: project({ '.claude/commands/g.md': 'Now: !`git push --dry-run`\n' }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project with a server that dies': {
    shell: 'touch x',
    top: project({
      '.mcp.json': '{"mcpServers":{"dead":{"command":"sh","args":["-c","echo boom >&2; exit 3"]}}}',
    }),
    steps: step('go'),
    red: DEAD_PROJECT,
  },
  'a project that is broken on purpose': {
    shell: 'touch x',
    top: settings({ PreToolUze: [hook('exit 2', 'Bash')] }),
    steps: step('go', 'plugins = "any"'),
    red: [],
  },
  'a sound project': {
    shell: 'touch x',
    top: project({
      '.claude/settings.json': JSON.stringify({
        permissions: { allow: ['Bash(node:*)'], defaultMode: 'acceptEdits' },
        hooks: { PreToolUse: [hook('true', 'Bash'), hook('sh "$CLAUDE_PROJECT_DIR"/.claude/guard.sh')] },
      }),
      '.claude/settings.local.json': '',
      '.claude/guard.sh': '#!/bin/sh\n[ -f y ] && exit 2\nexit 0\n',
      '.claude/agents/team/helper.md': AGENT,
      '.claude/agents/README.md': 'What our agents are for.\n',
      '.claude/commands/deep/look.md': 'Now: !`node -v`\n',
      '.claude/skills/greet/SKILL.md': 'Say hello.\n',
      '.mcp.json': '{"mcpServers":{"pinger":{"command":"node","args":["ping.mjs"]}}}',
      'ping.mjs': PING_SERVER,
    }),
    steps: step('go', 'files = [{ path = "x", change = "created" }]'),
    red: [],
  },
  'names that nothing has': {
    shell: 'touch x',
    hooks: { PreToolUse: [hook('true', 'Bash')] },
    steps: step(
      'go',
      `tools = { none = ["Bahs"] }
permissions = [{ tool = "Bahs", asked = false }]
hooks = [{ event = "PreToolUse", on = "bash", fired = false }]
subagents = { none = ["Explorr"] }
skills = { none = ["nobody"] }
told_not = { tools = ["Bahs"] }`,
    ),
    red: ['hook', 'not told: tools', 'permission', 'skills: none', 'subagents: none', 'tools: none'],
  },
  'names that are there, and not used': {
    shell: 'touch x',
    hooks: { PreToolUse: [hook('true', 'Bash')] },
    steps: step(
      'go',
      `tools = { none = ["Write", "edit", "WebSearch", "mcp__nobody__x", "AskUserQuestion"] }
permissions = [{ tool = "Write", asked = false }]
hooks = [{ event = "PreToolUse", on = "Write", fired = false }]
subagents = { none = ["Explore"] }
told_not = { tools = ["CronMake"] }`,
    ),
    // A server, and a tool, that nobody knows.
    red: ['not told: tools', 'tools: none'],
  },
  'an answer for a tool that does not exist, and one for a question that is not asked': {
    shell: 'touch x',
    top: 'project = { files = { ".claude/settings.json" = \'{"permissions":{"allow":["Bash"]}}\' } }',
    steps: '[[steps]]\nsend = "go"\npermissions = { Bahs = "deny", Bash = "deny" }\n',
    red: ['permissions', 'permissions'],
  },
  'an answer that a hook makes needless': {
    shell: 'touch x',
    hooks: { PreToolUse: [hook('exit 2', 'Bash')] },
    steps: '[[steps]]\nsend = "go"\npermissions = { Bash = "deny" }\n',
    red: [],
  },
  'files that are left alone, and are not': {
    shell:
      'mkdir -p src && echo hi > a.txt && echo hi > src/b.py && mkdir -p node_modules && echo hi > node_modules/x.js && echo hi > .git/hooks/pre-commit',
    top: 'project = { git = true, files = { "z.txt" = "z" } }',
    steps: step(
      'go',
      `files = [
  { path = "./a.txt", change = "unchanged" },
  { path = "src", change = "unchanged" },
  { path = "node_modules/x.js", change = "unchanged" },
  { path = ".git/hooks/pre-commit", change = "unchanged" },
  { path = "z.txt", change = "unchanged" },
  { path = "./src/b.py", change = "created" },
]`,
    ),
    red: ['file', 'file', 'file', 'file'],
  },
  'a guard that is meant to die, and another that is not': {
    shell: 'true',
    top: write,
    hooks: { PreToolUse: [hook('exit 1', 'Bash'), hook('exit 1', 'Write')] },
    steps: step('go', 'hooks = [{ event = "PreToolUse", on = "Bash", exit_code = 1 }]') + step('write'),
    red: ['hooks are alive'],
  },
  'a guard that takes too long': {
    shell: 'true',
    hooks: { PreToolUse: [hook('sleep 5', 'Bash', { timeout: 1 })] },
    steps: step('go'),
    red: ['hooks are alive'],
  },
  'a guard that is killed': {
    shell: 'true',
    hooks: { PreToolUse: [hook('kill -9 $$', 'Bash')] },
    steps: step('go'),
    red: ['hooks are alive'],
  },
  'a Stop hook that takes too long': {
    shell: 'true',
    hooks: { Stop: [hook('sleep 5', undefined, { timeout: 1 })] },
    steps: step('go'),
    red: ['hooks are alive'],
  },
  'a hook in the background that is ended with the session': {
    shell: 'true',
    hooks: { PostToolUse: [hook('sleep 30', 'Bash', { async: true })] },
    steps: step('go'),
    red: [],
  },
  'a hook of the end of the session that dies': {
    shell: 'true',
    hooks: { SessionEnd: [hook('exit 1')] },
    steps: step('go'),
    red: ['hooks are alive'],
  },
  'a hook that denies the permission that the user would give': {
    shell: 'touch x',
    hooks: {
      PermissionRequest: [
        hook(
          `sleep 0.3; echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}'`,
        ),
      ],
    },
    steps: step(
      'go',
      'files = [{ path = "x", change = "unchanged" }]\npermissions = [{ tool = "Bash", asked = false }]',
    ),
    red: [],
  },
  'a hook that only looks at a permission': {
    shell: 'touch x',
    hooks: { PermissionRequest: [hook('true')] },
    steps: step(
      'go',
      'files = [{ path = "x", change = "created" }]\npermissions = [{ tool = "Bash", decision = "allow" }]',
    ),
    red: [],
  },
  'an agent whose definition names skills': {
    top: `[[responses]]
pattern = { type = "contains", text = "go" }
response = { text = "Done.", tool_calls = [
  { tool = "Agent", input = { description = "d", prompt = "part of it", subagent_type = "p:helper", run_in_background = false } },
] }
[[responses]]
pattern = { type = "exact", text = "part of it" }
response = "Helped."
`,
    files: {
      'p/agents/helper.md': '---\nname: helper\ndescription: Helps\nskills: greet, part\n---\nYou help.\n',
      'p/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets\n---\nSay hello.\n',
      'p/skills/part/SKILL.md': '---\nname: part\ndescription: Parts\n---\nSay goodbye.\n',
    },
    steps: step('go', 'subagents = ["helper"]'),
    red: [],
  },
  'a commit on another branch': {
    shell: 'git checkout -q -b evil && echo a > a && git add a && git commit -qm evil && git checkout -q -',
    top: 'project = { git = true, files = { "z.txt" = "z" } }',
    steps: step('go', 'commits = { count = 0 }'),
    red: ['commits'],
  },
  'no commit, though something is stashed': {
    shell: 'echo a > z.txt && git stash -q && git tag t && git branch b',
    top: 'project = { git = true, files = { "z.txt" = "z" } }',
    steps: step('go', 'commits = { count = 0 }'),
    red: [],
  },
  'a budget that a subagent uses up': {
    top: delegate,
    files: { 'p/agents/helper.md': AGENT },
    steps: step('go', 'budget = { max_input_tokens = 1000, max_model_turns = 2 }'),
    red: ['budget', 'budget'],
  },
  'a budget that the cache uses up': {
    top: '[[responses]]\npattern = { type = "contains", text = "go" }\nresponse = { text = "Done.", usage = { input_tokens = 10, output_tokens = 1, cache_read_input_tokens = 100000 } }\n',
    steps: step('go', 'budget = { max_input_tokens = 1000 }'),
    red: ['budget'],
  },
  'a turn that is never asked for': {
    top: `[[responses]]
pattern = { type = "contains", text = "go" }
response = "Done."
turns = [{ expect = { type = "contains", text = "again" }, response = "Again." }]
`,
    steps: step('go'),
    red: ['every rule is used'],
  },
};

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('verdicts');
  for (const [index, [name, row]] of Object.entries(ROWS).entries())
    writeFiles(join(scratch.path, String(index)), filesOf(name, row));
});
afterAll(() => scratch.remove());

function filesOf(name: string, { shell, top = '', hooks, files = {}, steps }: Row): Record<string, string> {
  const hasPlugin = hooks !== undefined || Object.keys(files).length > 0;
  const rule =
    shell === undefined
      ? ''
      : `[[responses]]
pattern = { type = "contains", text = "go" }
response = { text = "Done.", tool_calls = [{ tool = "Bash", input = { command = ${JSON.stringify(shell)} } }] }
`;
  // Fields at the top come before tables.
  const [fields, rules] = top.startsWith('[[') ? ['', top] : [top, ''];
  return {
    ...(hasPlugin ? { 'p/.claude-plugin/plugin.json': '{ "name": "p", "version": "1.0.0", "description": "d" }' } : {}),
    ...(hooks === undefined ? {} : { 'p/hooks/hooks.json': JSON.stringify({ hooks }) }),
    ...files,
    'a.rehearsal.toml': `name = ${JSON.stringify(name)}
${hasPlugin ? 'plugins = ["p"]\n' : ''}${fields}
${rule}${rules}
${steps}`,
  };
}

describe.for(['sim', 'scripted'])('on %s', (stage) => {
  let entries: readonly EntryResult[] = [];
  beforeAll(async () => {
    if (stage === 'scripted' && (await realAgent('claude')) === undefined) return;
    ({ entries } = await runRehearsals(['.'], stage, scratch.path));
  });

  it.for(Object.entries(ROWS))('%s', async ([name, { red }], context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const entry = entries.find((one) => one.name === name);
    expect(entry?.error).toBeUndefined();
    const checks = [...(entry?.steps ?? []).flatMap((one) => one.checks), ...(entry?.checks ?? [])];
    const bad = checks.filter(({ status }) => status !== 'passed');
    expect(bad.map((check) => check.name).sort(), JSON.stringify(bad, null, 1)).toEqual(red);
    expect(entry?.status === 'passed').toBe(red.length === 0);
  });
});

it.each([
  ['hooks = [{ event = "PreToolUze", fired = false }]', 'Did you mean PreToolUse?'],
  ['hooks = [{ event = "Stop", on = "Bash", fired = false }]', 'not matched on anything'],
  ['files = [{ path = "src/*.py", change = "unchanged" }]', 'is a pattern'],
  ['files = [{ path = "../out.txt", change = "unchanged" }]', 'leads out of the project'],
  ['files = [{ path = "/etc/passwd", change = "unchanged" }]', 'is an absolute path'],
])('refuses %s when the file is loaded', async (expected, why) => {
  const rule = '[[responses]]\npattern = { type = "contains", text = "go" }\nresponse = "Done."\n';
  writeFiles(join(scratch.path, 'refused'), { 'r.rehearsal.toml': rule + step('go', expected) });
  const checked = await runUnderstudy(['check', 'r.rehearsal.toml'], { cwd: join(scratch.path, 'refused') });
  expect(checked.code).toBe(1);
  expect(checked.stdout + checked.stderr).toContain(why);
});
