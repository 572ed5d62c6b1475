import { type Case, LIVING, say, tool } from '../case.js';
import { says } from './parts.js';

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
      updatedPermissions: [
        {
          ...{ type: 'addRules', behavior: 'allow', destination: 'session' },
          rules: [{ toolName: 'Bash', ruleContent: 'node:*' }],
        },
        { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      ],
    },
  },
];
