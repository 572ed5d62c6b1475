import { type Case, LIVING, STREAM, say, tool } from '../case.js';
import { JUDGE, judge, says } from './parts.js';

const line = (command: string) => tool('Bash', { command });
const ASKED = [
  ...['mkdir a', 'node -e 0', 'echo hi > out.txt', 'cat /etc/hosts', 'echo $(node -e 0)', 'cd /etc && ls'].map(line),
  ...['touch /etc/none', 'mkdir a && node -e 0', 'rm a.txt', 'for i in 1 2; do echo $i; done', 'mkdir .git'].map(line),
  ...['ls | node', 'echo asked', 'sed -i s/a/b/ a.txt'].map(line),
  tool('Write', { file_path: 'x', content: 'y' }),
  tool('Write', { file_path: '/etc/none', content: 'y' }),
  tool('Write', { file_path: '.git/config', content: 'y' }),
  tool('Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' }),
  tool('Read', { file_path: '/etc/hosts' }),
  tool('WebFetch', { url: 'http://127.0.0.1:9/', prompt: 'x' }),
];

const GOOD = {
  ...{ type: 'addRules', behavior: 'allow', destination: 'session' },
  rules: [{ toolName: 'Bash', ruleContent: 'node:*' }],
};

const asked = (name: string, hostAnswer: Record<string, unknown>): Case => ({
  name: `a host that ${name}`,
  args: [...LIVING, '--permission-prompt-tool', 'stdio'],
  turns: [[line('node -e 0'), line('node -e 1'), say('done')]],
  talk: says('go'),
  hostAnswer,
});

/** A server whose tool is asked for permissions. */
const askedTool = (name: string, answer: object): Case => ({
  name: `a permission tool that ${name}`,
  args: [...STREAM, 'go', '--mcp-config', JUDGE, '--permission-prompt-tool', 'mcp__srv__judge'],
  files: { 'server.mjs': judge(answer) },
  turns: [[line('node -e 0'), say('done')]],
});
const text = (words: string): object => ({ content: [{ type: 'text', text: words }] });

/** What a host is told when it is asked for a permission, and what it may give with its answer. */
export const HOST_QUESTION_CASES: readonly Case[] = [
  {
    name: 'what a host is asked',
    args: [...LIVING, '--permission-prompt-tool', 'stdio'],
    files: { 'a.txt': 'a', 'HOME/.claude/settings.json': { permissions: { ask: ['Bash(echo asked)'] } } },
    talk: says(...ASKED.map((_, at) => `prompt ${at}`)),
    turns: ASKED.map((step) => [step, say('done')]),
    hostAnswer: { behavior: 'deny', message: 'no' },
  },
  {
    name: 'a host that need not be asked again',
    args: [...LIVING, '--permission-prompt-tool', 'stdio'],
    talk: says('go'),
    turns: [[line('node -e 0'), line('node -e 1'), tool('Write', { file_path: 'x', content: 'y' }), say('done')]],
    hostAnswer: {
      behavior: 'allow',
      updatedPermissions: [GOOD, { type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
  },
  asked('fails', { fails: 'it broke' }),
  asked('says nothing', {}),
  asked('says what there is not', { behavior: 'maybe' }),
  asked('denies without a word', { behavior: 'deny' }),
  asked('denies in a wrong way', { behavior: 'deny', message: 'no', interrupt: 'yes' }),
  asked('gives one wrong change', { behavior: 'allow', updatedPermissions: [GOOD, { type: 'nothing' }] }),
  asked('gives no list of changes', { behavior: 'allow', updatedPermissions: {} }),
  {
    ...askedTool('there is not beside another', text('')),
    args: [...STREAM, 'go', '--mcp-config', JUDGE, '--permission-prompt-tool', 'mcp__srv__other'],
  },
  askedTool('allows', text('{"behavior":"allow"}')),
  askedTool('allows another input', text('{"behavior":"allow","updatedInput":{"command":"node -e 2"}}')),
  askedTool('denies', text('{"behavior":"deny","message":"no"}')),
  askedTool('denies for good', text('{"behavior":"deny","message":"no","interrupt":true}')),
  askedTool('denies without a word', text('{"behavior":"deny"}')),
  askedTool('allows what is no input', text('{"behavior":"allow","updatedInput":"x"}')),
  askedTool('says no JSON', text('yes')),
  askedTool('fails', { isError: true, content: [{ type: 'text', text: 'bad' }] }),
  askedTool('says nothing', { content: [] }),
  askedTool('shows a picture', { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }),
];
