import { type Case, LIVING, STREAM, type Step, say, tool } from '../case.js';
import { agent, says } from './parts.js';

const NO = '{"ok":false,"reason":"not so"}';
const YES = '{"ok":true,"reason":"fine"}';
const BASH = tool('Bash', { command: 'echo hi' });
const WRITE = tool('Write', { file_path: 'x', content: 'y' });
const asking = (event: string, more: object = {}) => ({
  [event]: [{ hooks: [{ type: 'prompt', prompt: `Judge ${event}: $ARGUMENTS`, ...more }] }],
});
interface Asked {
  answers?: string[];
  steps?: Step[];
  more?: object;
  prompt?: string;
  files?: object;
}
const asked = (
  name: string,
  event: string,
  { answers = [NO], steps = [BASH], more, prompt = 'go', files }: Asked = {},
): Case => ({
  name: `hook that asks: ${name}`,
  args: [...STREAM, prompt, '--include-hook-events'],
  files: { 'HOME/.claude/settings.json': { hooks: asking(event, more) }, ...files },
  turns: [[...steps, say('done')]],
  hookAnswers: answers,
});
const COMMAND = { '.claude/commands/cmd.md': 'Do it.\n' };
const LOOK = agent('look', { run_in_background: false }, [say('found')]);

/** Hooks of type `prompt` and `agent`: a model decides. */
export const ASKING_HOOK_CASES: readonly Case[] = [
  asked('Stop objects', 'Stop', { answers: [NO, NO, YES], steps: [] }),
  asked('Stop does not object', 'Stop', { answers: [YES] }),
  ...['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'PostToolBatch'].flatMap((event) => [
    asked(`${event} objects`, event, { answers: [NO, NO, YES] }),
    asked(`${event} does not object`, event, { answers: [YES] }),
  ]),
  { ...asked('SubagentStart objects', 'SubagentStart', { steps: [LOOK] }), args: [...STREAM, 'go'] },
  asked('UserPromptExpansion objects', 'UserPromptExpansion', { prompt: '/cmd', files: COMMAND }),
  asked('PermissionRequest objects', 'PermissionRequest', { steps: [WRITE] }),
  asked('PermissionRequest does not object', 'PermissionRequest', { answers: [YES], steps: [WRITE] }),
  asked('PostToolUseFailure objects', 'PostToolUseFailure', { steps: [tool('Bash', { command: 'false' })] }),
  asked('the start of a session', 'SessionStart'),
  asked('the end of a session', 'SessionEnd'),
  asked('an agent at the end of a session', 'SessionEnd', { more: { type: 'agent' } }),
  asked('without arguments', 'PreToolUse', { more: { prompt: 'Is it good?' } }),
  asked('no JSON', 'PreToolUse', { answers: ['what?'] }),
  asked('another JSON', 'PreToolUse', { answers: ['{"decision":"block","reason":"x"}'] }),
  asked('what cannot be reached', 'Stop', { answers: ['{"ok":false,"impossible":true,"reason":"never"}'] }),
  asked('PreToolUse goes on', 'PreToolUse', { more: { continueOnBlock: true } }),
  asked('PostToolUse goes on', 'PostToolUse', { more: { continueOnBlock: true } }),
  asked('UserPromptSubmit goes on', 'UserPromptSubmit', { more: { continueOnBlock: true } }),
  asked('an agent before a tool', 'PreToolUse', { more: { type: 'agent' } }),
  asked('an agent behind a tool', 'PostToolUse', { more: { type: 'agent' } }),
  asked('an agent at the end', 'Stop', { more: { type: 'agent' }, answers: [NO, YES], steps: [] }),
  asked('an agent that agrees', 'PreToolUse', { more: { type: 'agent' }, answers: [YES] }),
  {
    ...asked('of a plugin', 'PreToolUse'),
    args: [...LIVING, '--plugin-dir', 'plug'],
    files: {
      'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' },
      'plug/hooks/hooks.json': { hooks: { ...asking('PreToolUse'), ...asking('Stop') } },
    },
    talk: says('go', 'and then'),
    turns: [[BASH, say('done')], [say('done')], [say('done')]],
    hookAnswers: [NO, NO, YES],
  },
];
