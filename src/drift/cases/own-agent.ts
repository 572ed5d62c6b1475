import { type Case, control, LIVING, STREAM, type Step, say, tool } from '../case.js';
import { JUDGE, JUDGE_SOURCE, says } from './parts.js';

const START = { description: 'x', prompt: 'y', run_in_background: false };
const start = (input: object = {}): Step => ({ ...tool('Agent', { ...START, ...input }), subagent: [say('sub')] });
/** An agent that uses tools of its own. */
const started = (type: string): Step => ({
  ...start({ subagent_type: type }),
  subagent: [tool('Bash', { command: 'echo hi' }), tool('Read', { file_path: 'a.txt' }), say('sub')],
});
const TOOLS: Step[] = [
  tool('Bash', { command: 'echo hi' }),
  tool('Read', { file_path: 'a.txt' }),
  tool('Write', { file_path: 'b', content: 'c' }),
  start(),
];

/** A session that was started as an agent with these fields. */
const agent = (name: string, fields: string, steps: Step[] = TOOLS, args: string[] = []): Case => ({
  name: `the session as an agent: ${name}`,
  args: [...STREAM, 'go', '--agent', 'rev', '--permission-mode', 'acceptEdits', ...args],
  turns: [[...steps, say('done')]],
  files: {
    'a.txt': 'a',
    '.claude/agents/rev.md': `---\nname: rev\ndescription: reviews\n${fields}---\nBe rev.`,
    '.claude/agents/other.md': '---\nname: other\ndescription: others\n---\nBe other.',
  },
});

const SERVER = ['--mcp-config', JUDGE, '--allowedTools', 'mcp__srv'];
const OWN = { description: 'is me', prompt: 'Be me.' };
/** An agent that the host hands over. */
const handed = (name: string, agents: object, args: string[] = []): Case => ({
  name: `the session as an agent of the host: ${name}`,
  args: [...LIVING, '--agent', 'me', ...args],
  turns: [[tool('Bash', { command: 'node -e 0' }), say('done')]],
  talk: [...control('init', { subtype: 'initialize', agents }), ...says('go')],
});

/** What an agent can do that a session was started as. */
export const OWN_AGENT_CASES: readonly Case[] = [
  agent('all tools', ''),
  agent('a star', "tools: '*'\n"),
  agent('one tool', 'tools: Read\n'),
  agent('tools in their order', 'tools: Read, Bash\n'),
  agent('a list of tools', 'tools: [Read, Write]\n'),
  agent('no tool', 'tools: []\n'),
  agent('a tool that there is not', 'tools: Nothing\n'),
  agent('a rule for a tool', 'tools: Bash(echo:*), Read\n'),
  agent('a tool that it must not have', 'disallowedTools: Bash\n'),
  agent('a tool that starts agents', 'tools: Read, Agent\n'),
  agent('skills', 'tools: Read, Skill\n'),
  agent('fewer tools by a flag', 'tools: Read\n', TOOLS, ['--tools', 'Bash,Read']),
  agent('a tool that a flag allows', 'tools: Read\n', TOOLS, ['--allowedTools', 'Bash']),
  agent('the only agent', 'tools: Agent(other)\n', [start({ subagent_type: 'other' })]),
  agent('not the only agent', 'tools: Agent(other)\n', [start({ subagent_type: 'rev' })]),
  agent('two agents', 'tools: Agent(other, Explore), Read\n', [start({ subagent_type: 'Explore' })]),
  agent('two agents and no name', 'tools: Agent(other, Explore), Read\n', [start()]),
  agent('the usual agent', 'tools: Task(general-purpose)\n', [start()]),
  agent('one agent and all', 'tools: Agent(other), Agent\n', [start({ subagent_type: 'Explore' })]),
  agent('no agents by a flag', '', [start()], ['--tools', 'Bash,Read']),
  agent('agents by a flag', '', [start()], ['--tools', 'Bash,Agent']),
  agent('agents by their older name', '', [start()], ['--tools', 'Bash,Task']),
  agent('no agents by a rule', '', [start()], ['--disallowedTools', 'Task']),
  agent('no list of tasks', 'tools: Read\n', [tool('TaskCreate', { subject: 's', description: 'd' })]),
  agent(
    'no output of its own',
    'tools: Read\n',
    [tool('StructuredOutput', { a: 1 })],
    ['--json-schema', '{"type":"object"}'],
  ),
  ...['mcp__srv__judge', 'mcp__srv', 'Read'].map((tools): Case => {
    const test = agent(`a server and ${tools}`, `tools: ${tools}\n`, [tool('mcp__srv__judge', { text: 'x' })], SERVER);
    return { ...test, files: { ...test.files, 'server.mjs': JUDGE_SOURCE } };
  }),
  ...['general-purpose', 'other'].flatMap((type) => [
    agent(`few tools, and ${type} below it`, 'tools: Read, Agent\n', [started(type)]),
    agent(`no shell, and ${type} below it`, 'disallowedTools: Bash\n', [started(type)]),
  ]),
  handed('all tools', { me: OWN }),
  handed('its model and its tools', { me: { ...OWN, model: 'haiku', tools: ['Read'] } }),
  handed('its model and that of a flag', { me: { ...OWN, model: 'haiku' } }, ['--model', 'sonnet']),
  handed('its mode', { me: { ...OWN, permissionMode: 'plan', maxTurns: 1 } }),
  handed('nobody', {}),
];
