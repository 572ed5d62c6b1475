import { type Case, LIVING, STREAM, type Step, say, tool } from '../case.js';
import { JUDGE, JUDGE_SOURCE, says, userHooks } from './parts.js';

const BASH = tool('Bash', { command: 'echo hi' });
const WRITE = tool('Write', { file_path: 'x', content: 'y' });
const answers = (event: string, fields: object, more: object = {}) => ({
  [event]: `echo '${JSON.stringify({ ...more, hookSpecificOutput: { hookEventName: event, ...fields } })}'`,
});

const field = (
  name: string,
  hooks: Record<string, string>,
  steps: Step[] = [BASH],
  more: Partial<Case> = {},
): Case => ({
  args: [...STREAM, 'go'],
  turns: [[...steps, say('done')]],
  ...more,
  name: `what a hook says: ${name}`,
  files: { ...userHooks(hooks), ...more.files },
});

const ofServer = (name: string, fields: object): Case =>
  field(name, answers('PostToolUse', fields), [tool('mcp__srv__judge', { text: 'secret' })], {
    args: [...STREAM, 'go', '--allowedTools', 'mcp__srv__judge', '--mcp-config', JUDGE],
    files: { 'server.mjs': JUDGE_SOURCE },
  });

/** The rarer fields of what hooks say. */
export const HOOK_FIELD_CASES: readonly Case[] = [
  ofServer('another result of a server', { updatedMCPToolOutput: 'hidden' }),
  ofServer('blocks in place of a result', { updatedMCPToolOutput: [{ type: 'text', text: 'hidden' }] }),
  ofServer('another result of any tool', { updatedToolOutput: 'hidden' }),
  field(
    'another result of a command',
    answers('PostToolUse', { updatedToolOutput: { stdout: 'hidden', stderr: '', interrupted: false, isImage: false } }),
  ),
  field('a result that does not fit', answers('PostToolUse', { updatedToolOutput: 'hidden' })),
  field('the result of a server for a command', answers('PostToolUse', { updatedMCPToolOutput: 'hidden' })),
  field(
    'a prompt that is not repeated',
    answers('UserPromptSubmit', { suppressOriginalPrompt: true }, { decision: 'block', reason: 'no' }),
  ),
  field(
    'a command that is not repeated',
    answers('UserPromptExpansion', { suppressOriginalPrompt: true }, { decision: 'block', reason: 'no' }),
    [],
    { args: [...STREAM, '/cmd'], files: { '.claude/commands/cmd.md': 'Do it.\n' } },
  ),
  field('a title at the start', answers('SessionStart', { sessionTitle: 'My title' })),
  field('a title with a prompt', answers('UserPromptSubmit', { sessionTitle: 'My title' }), [], {
    args: LIVING,
    talk: says('go', 'and then'),
    turns: [[say('done')], [say('done')]],
  }),
  ...Object.entries({
    stream: [...STREAM, 'go'],
    text: ['-p', 'go'],
    JSON: ['-p', 'go', '--output-format', 'json'],
  }).map(([format, args]) =>
    field(`a first prompt, as ${format}`, answers('SessionStart', { initialUserMessage: 'hello' }), [], {
      args,
      turns: [[say('one')], [say('two')]],
    }),
  ),
  field(
    'a refusal that ends the turn',
    answers('PermissionRequest', { decision: { behavior: 'deny', message: 'never', interrupt: true } }),
    [WRITE],
  ),
  ...Object.entries({
    'that there is not': { type: 'allowAll' },
    'without a place': { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash' }] },
    'of the mode, by its other name': { type: 'setMode', mode: 'manual', destination: 'session' },
    'that refuses': { type: 'addRules', behavior: 'deny', rules: [{ toolName: 'Bash' }], destination: 'session' },
    'of folders': { type: 'addDirectories', directories: ['../other'], destination: 'localSettings' },
  }).map(([what, update]) =>
    field(
      `a change ${what}`,
      answers('PermissionRequest', { decision: { behavior: 'allow', updatedPermissions: [update] } }),
      ['mkdir a', 'ls ../other', 'cat .claude/settings.local.json; mkdir b'].map((command) =>
        tool('Bash', { command }),
      ),
    ),
  ),
  field(
    'a permission that lasts',
    answers('PermissionRequest', {
      decision: {
        behavior: 'allow',
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    }),
    [WRITE, tool('Write', { file_path: 'z', content: 'y' })],
  ),
  ...(['session', 'localSettings', 'projectSettings', 'userSettings'] as const).map((destination) =>
    field(
      `rules for the ${destination}`,
      answers('PermissionRequest', {
        decision: {
          behavior: 'allow',
          updatedPermissions: [
            {
              ...{ type: 'addRules', behavior: 'allow', destination },
              rules: [{ toolName: 'Bash', ruleContent: 'mkdir:*' }, { toolName: 'Edit' }],
            },
          ],
        },
      }),
      [
        tool('Bash', { command: 'mkdir a' }),
        tool('Bash', { command: 'mkdir b' }),
        tool('Bash', { command: 'ls .claude; cat .claude/settings.local.json .claude/settings.json; true' }),
      ],
    ),
  ),
];
