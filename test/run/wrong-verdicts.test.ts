import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import { runRehearsals } from '../faults/play.js';
import { PING_SERVER } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { partInCi, seedOr } from '../helpers/seeded.js';
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
  /** Absent: the plugin `p`, where there is one. */
  plugins?: string;
  steps: string;
  /** The checks that are not passed; none for a sound one. */
  red: string[];
  /** The same on sim, where that refuses by name what only the real CLI does. */
  redOnSim?: string[];
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

/** The front matter of a skill or command that brings a guard. */
const guarded = (name: string): string =>
  `---\nname: ${name}\ndescription: Guards\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: "exit 2"\n---\nBe careful.\n`;
const loading = (
  skill: string,
  more = '',
): string => `project = { files = { ${more}".claude/skills/guard/SKILL.md" = ${JSON.stringify(guarded('guard'))} } }
[[responses]]
pattern = { type = "contains", text = "load" }
response = { text = "Loaded.", tool_calls = [{ tool = "Skill", input = { skill = ${JSON.stringify(skill)} } }] }
`;
const untouched = 'files = [{ path = "x", change = "unchanged" }]';
const stopping = (reason: string, again: string): string => `[[responses]]
pattern = { type = "contains", text = "go" }
response = { text = "Cut.", stop_reason = "${reason}" }
[[responses]]
pattern = { type = "contains", text = ${JSON.stringify(again)} }
response = "Done."
optional = true
`;
const asking = (rule: string): string =>
  `project = { files = { ".claude/settings.json" = '{"permissions":{"deny":["${rule}"]}}' } }`;

const SERVER = `import { createInterface } from 'node:readline';
const answer = (id, rest) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const tools = ['die', 'fail'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  if (method === 'initialize') {
    const serverInfo = { name: 's', version: '1' };
    answer(id, { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') answer(id, { result: { tools } });
  else if (method !== 'tools/call') answer(id, { error: { code: -32601, message: 'no' } });
  else if (params.name === 'die') {
    console.error('Error: there is no database');
    process.exit(3);
  } else answer(id, { result: { content: [{ type: 'text', text: 'not found' }], isError: true } });
});
`;
const server = {
  'p/server.mjs': SERVER,
  'p/.mcp.json': JSON.stringify({ mcpServers: { s: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'] } } }),
};
const calling = (tool: string): string => `[[responses]]
pattern = { type = "contains", text = "go" }
response = { text = "Done.", tool_calls = [{ tool = "mcp__plugin_p_s__${tool}", input = {} }] }
`;
/** A second plugin, and a command that both have. */
const COMMAND = '---\ndescription: Does it\n---\nBe careful.\n';
const twice = (name: string) => ({
  'q/.claude-plugin/plugin.json': '{ "name": "q", "version": "1.0.0", "description": "d" }',
  [`q/commands/${name}.md`]: COMMAND,
  [`p/commands/${name}.md`]: COMMAND,
});
const careful = '[[responses]]\npattern = { type = "contains", text = "Be careful" }\nresponse = "Done."\n';

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
  'a server that dies during a call': {
    top: calling('die'),
    files: server,
    steps: step('go', 'mcp_servers = ["s"]\ntools = { any = ["mcp__plugin_p_s__die"] }'),
    red: ['MCP servers are alive', 'tools: any'],
  },
  'a server that dies during a call, as it is meant to': {
    top: calling('die'),
    files: server,
    steps: step('go', 'tools = { calls = [{ tool = "mcp__plugin_p_s__die", status = "error" }] }'),
    red: [],
  },
  'a server that answers with an error': {
    top: calling('fail'),
    files: server,
    steps: step('go', 'tools = { any = ["mcp__plugin_p_s__fail"] }'),
    red: [],
  },
  'a command of the wrong plugin': {
    top: `workflow = "agent-loop"\n${careful}`,
    files: twice('explore'),
    plugins: '["p", "q"]',
    steps: step('/q:explore', 'command = { name = "explore" }\nworkflow = { from = "idle", to = "exploring" }'),
    red: ['command expanded', 'workflow'],
  },
  'a command that is named with its plugin': {
    top: careful,
    files: twice('explore'),
    plugins: '["p", "q"]',
    steps: step('/q:explore', 'command = { name = "q:explore" }'),
    red: [],
  },
  'a skill that brings a guard, loaded by the model': {
    shell: 'touch x',
    top: loading('guard'),
    steps: step('load') + step('go', untouched),
    red: [],
    redOnSim: ['file', 'unsupported'],
  },
  'a skill of a plugin that brings a guard, typed by the user': {
    shell: 'touch x',
    top: '[[responses]]\npattern = { type = "command", name = "p:guard" }\nresponse = "Loaded."\n',
    files: { 'p/skills/guard/SKILL.md': guarded('guard') },
    steps: step('/p:guard') + step('go', untouched),
    red: [],
    redOnSim: ['every rule is used', 'file', 'outcome', 'unsupported'],
  },
  'a command of a plugin, whose hooks count nowhere': {
    shell: 'touch x',
    top: '[[responses]]\npattern = { type = "command", name = "p:guard" }\nresponse = "Loaded."\n',
    files: { 'p/commands/guard.md': guarded('guard') },
    steps: step('/p:guard') + step('go', 'files = [{ path = "x", change = "created" }]'),
    red: [],
  },
  'an answer that is cut at the token limit': {
    top: stopping('max_tokens', 'Output token limit hit'),
    steps: step('go', 'says = "Done."'),
    red: [],
    redOnSim: ['outcome', 'says', 'unsupported'],
  },
  'a deny rule about what sudo starts': {
    shell: 'sudo -u root ls; /usr/bin/sudo -n ls; env doas ls',
    top: asking('Bash(ls:*)'),
    steps: step('go', 'permissions = [{ tool = "Bash", asked = false }]\ntools = { none = ["Bash"] }'),
    red: ['tools: none'],
  },
  'a search in the web': {
    top: `[[responses]]
pattern = { type = "contains", text = "go" }
response = { text = "Done.", tool_calls = [{ tool = "WebSearch", input = { query = "cats" } }] }
`,
    steps: step('go', 'permissions = [{ tool = "WebSearch", decision = "allow" }]'),
    red: ['every request is answered'],
    redOnSim: ['unsupported'],
  },
  'what CLAUDE.md says': {
    shell: 'true',
    top: 'project = { files = { "CLAUDE.md" = "Always say please." } }',
    steps: step('go', 'told = { message = "say please", system = "say please" }'),
    red: [],
    redOnSim: ['told: system'],
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
  'a guard whose decision stands where the CLI does not read it': {
    shell: 'touch x',
    hooks: { PreToolUse: [hook(`echo '{"permissionDecision":"deny","permissionDecisionReason":"no"}'`, 'Bash')] },
    steps: step('go', 'hooks = [{ event = "PreToolUse", on = "Bash" }]'),
    red: ['hooks are alive'],
  },
  'a hook that speaks to two hosts, and one that gives back what it was given': {
    shell: 'true',
    hooks: {
      SessionStart: [
        hook(
          `echo '{"additional_context":"hi","hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"hi"}}'`,
        ),
      ],
      PreToolUse: [hook('cat', 'Bash')],
    },
    steps: step('go'),
    red: [],
  },
  'a file that a link leads to': {
    shell: 'ln -s src link && echo b > src/a.txt',
    top: project({ 'src/a.txt': 'a' }),
    steps: step('go', 'files = [{ path = "link/a.txt", change = "unchanged" }]'),
    red: ['file'],
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
  'standard streams that are opened by their paths': {
    shell: 'echo one | tee /dev/stderr && echo two >> /dev/stdout && echo three >> /dev/stderr && touch done.txt',
    steps: `${step('go', 'files = [{ path = "done.txt", change = "created" }]')}
[[steps]]
run = "echo one > /dev/stdout && echo two | tee /dev/stderr && claude -p go > /dev/stderr && echo three > /dev/stderr"
[steps.expect]
exit_code = 0
stdout = { contains = "one\\ntwo" }
stderr = { contains = ["two", "Done.", "three"] }
`,
    red: [],
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

const folderOf = (name: string): string => String(Object.keys(ROWS).indexOf(name));

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('verdicts');
  for (const [name, row] of Object.entries(ROWS)) writeFiles(join(scratch.path, folderOf(name)), filesOf(name, row));
});
afterAll(() => scratch.remove());

function filesOf(
  name: string,
  { shell, top = '', hooks, files = {}, plugins = '["p"]', steps }: Row,
): Record<string, string> {
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
${hasPlugin ? `plugins = ${plugins}\n` : ''}${fields}
${rule}${rules}
${steps}`,
  };
}

// CI plays a third of them on the real CLI, the same in each run; everywhere else all are played.
const playedBy = { sim: ROWS, scripted: Object.fromEntries(partInCi(Object.entries(ROWS), 3, seedOr(1))) };

describe.for(['sim', 'scripted'] as const)('on %s', (stage) => {
  const rows = playedBy[stage];
  let entries: readonly EntryResult[] = [];
  beforeAll(async () => {
    if (stage === 'scripted' && (await realAgent('claude')) === undefined) return;
    ({ entries } = await runRehearsals(Object.keys(rows).map(folderOf), stage, scratch.path));
  });

  it.for(Object.entries(rows))('%s', async ([name, { red: everywhere, redOnSim }], context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const red = stage === 'sim' ? (redOnSim ?? everywhere) : everywhere;
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
