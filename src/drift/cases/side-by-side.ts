import {
  type Case,
  control,
  LIVING,
  PAYLOADS,
  type ScriptedCall,
  STREAM,
  type Step,
  say,
  tool,
  user,
} from '../case.js';
import { JUDGE, JUDGE_SOURCE } from './parts.js';

/** Waits a while for the hook of another call, and tells whether it came. */
const MEETING = [
  'echo x >> "$HOME/../met"; i=0',
  'while [ "$(wc -l < "$HOME/../met")" -lt 2 ] && [ $i -lt 40 ]; do sleep 0.05; i=$((i+1)); done',
  `[ $i -lt 40 ] && how=together || how=alone`,
  `printf '{"hook_event_name":"meeting","sent":["%s"]}\\n' $how >> "$HOME/../${PAYLOADS}"`,
].join('; ');
const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];
const hooks = {
  PreToolUse: hook(MEETING),
  // The second call ends later, so that the order of the results is known.
  PostToolUse: hook('grep -q b.txt && sleep 0.5; true'),
};
const files = {
  '.claude/settings.json': { hooks },
  ...{ 'a.txt': 'one\n', 'b.txt': 'two\n', 'sub/file.txt': '' },
};
const READ = { tool: 'Read', input: { file_path: 'b.txt' } };

const beside = (name: string, call: ScriptedCall, args: readonly string[] = []): Case => ({
  name: `side by side: ${name}`,
  args: [...STREAM, 'go', '--permission-mode', 'bypassPermissions', ...args],
  env: { IS_SANDBOX: '1' },
  files,
  turns: [[{ say: 'both', tools: [call, READ] }, say('done')]],
});

const ofServer = (name: string, annotations: object): Case => {
  const call = { tool: 'mcp__srv__judge', input: { text: 'x' } };
  const server = JUDGE_SOURCE.replace("name: 'judge',", `$& annotations: ${JSON.stringify(annotations)},`);
  return { ...beside(name, call, ['--mcp-config', JUDGE]), files: { ...files, 'server.mjs': server } };
};

const late = (step: Step, lagMs: number): Step => ({ ...step, lagMs });
const agent = (name: string, subagent: Step[], more: object = {}): ScriptedCall => ({
  tool: 'Agent',
  input: {
    description: name,
    prompt: `look ${name}`,
    subagent_type: 'general-purpose',
    run_in_background: false,
    ...more,
  },
  subagent,
});
const LOOK = tool('Bash', { command: 'echo looked' });
/** The first one is always half a second ahead, and its hooks are. */
const FIRST = agent('first', [late(LOOK, 600), late(say('first done'), 1200)]);
const SECOND = agent('second', [late(LOOK, 800), late(say('second done'), 1200)]);
const EVENTS = ['SubagentStart', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'PostToolBatch'];
const RECORD_IN_ORDER = [
  `sent=$(tr -d '\\n')`,
  'case "$sent" in *"look second"*) sleep 0.2;; *SubagentStart*) sleep 0.5;; esac',
  `printf '%s\\n' "$sent" >> "$HOME/../${PAYLOADS}"`,
].join('; ');
const recordedAgents = (events: readonly string[]) => ({
  '.claude/settings.json': { hooks: Object.fromEntries(events.map((event) => [event, hook(RECORD_IN_ORDER)])) },
});
const agents = (name: string, tools: ScriptedCall[], ...args: string[]): Case => ({
  name: `side by side: ${name}`,
  args: [...STREAM, 'go', ...args],
  files: recordedAgents(EVENTS),
  turns: [[{ tools }, say('done')]],
});

const inBackground = (name: string, ...calls: ScriptedCall[]): Case => {
  const tools = calls.map((call) => ({ ...call, input: { ...call.input, run_in_background: true } }));
  return {
    ...agents(name, tools),
    files: recordedAgents(['PreToolUse', 'SubagentStop']),
    turns: [[{ tools }, late(say('done'), 4000)]],
  };
};
const interrupted = (name: string, ...tools: ScriptedCall[]): Case => ({
  ...agents(name, tools),
  args: LIVING,
  turns: [[{ tools }], [say('after')]],
  talk: [
    user('first'),
    { until: 'task_progress' },
    { wait: 300 },
    ...control('stop', { subtype: 'interrupt' }),
    { until: 'result' },
    user('second'),
    { until: 'result' },
  ],
});
const SLOW = tool('Bash', { command: 'sleep 9' });

const LINES = ['cat a.txt | wc -l', 'cat none.txt', 'cd sub', 'echo $(cat a.txt)', 'touch c.txt', 'cat a.txt > c.txt'];

/** Two calls in one message: whether the hooks of the second one run before the first one has ended. */
export const SIDE_BY_SIDE_CASES: readonly Case[] = [
  beside('Read', { tool: 'Read', input: { file_path: 'a.txt' } }),
  beside('Read of no file', { tool: 'Read', input: { file_path: 'none.txt' } }),
  beside('Write', { tool: 'Write', input: { file_path: 'c.txt', content: 'x' } }),
  beside('Grep', { tool: 'Grep', input: { pattern: 'one', path: 'a.txt' } }, ['--tools', 'Grep,Read']),
  beside('Glob', { tool: 'Glob', input: { pattern: 'a.*' } }, ['--tools', 'Glob,Read']),
  ofServer('a tool of a server', {}),
  ofServer('a tool of a server that only reads', { readOnlyHint: true }),
  beside('no such tool', { tool: 'None', input: {} }),
  ...LINES.map((command) => beside(command, { tool: 'Bash', input: { command } })),
  agents('two subagents', [FIRST, SECOND]),
  agents('a second subagent that ends first', [
    agent('first', [late(LOOK, 600), late(LOOK, 1200), late(say('first done'), 1200)]),
    agent('second', [late(say('second done'), 800)]),
  ]),
  agents('a subagent that fails beside another one', [FIRST, agent('second', [], { subagent_type: 'nobody' })]),
  agents('subagents of a subagent', [agent('outer', [{ tools: [FIRST, SECOND], lagMs: 100 }, say('outer done')])]),
  agents(
    'a file and a subagent',
    [
      agent('first', [late(LOOK, 1000), late(say('first done'), 1000)]),
      { tool: 'Write', input: { file_path: 'new.txt', content: 'x' } },
    ],
    '--permission-mode',
    'acceptEdits',
  ),
  inBackground('two subagents in the background', FIRST, SECOND),
  inBackground(
    'inner subagents, in background',
    agent('outer', [{ tools: [FIRST, SECOND], lagMs: 100 }, say('outer done')]),
  ),
  interrupted('an interruption of a subagent', agent('first', [SLOW])),
  interrupted(
    'an interruption of two subagents',
    agent('first', [late(SLOW, 800)]),
    agent('second', [late(SLOW, 3000)]),
  ),
  beside('a subagent', agent('first', [late(say('first done'), 1000)])),
];
