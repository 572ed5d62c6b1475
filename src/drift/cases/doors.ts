import { type Case, control, LIVING, STREAM, type Step, say, tool } from '../case.js';
import { BEFORE, SESSION, says, userHooks } from './parts.js';

const SONNET = { ANTHROPIC_MODEL: 'claude-sonnet-4-5' };
const OPUS = { 'HOME/.claude/settings.json': { model: 'opus' } };
const plain = (name: string, more: Partial<Case>): Case => ({
  name,
  turns: [[say('hello')]],
  ...more,
  args: [...STREAM, 'go', ...(more.args ?? [])],
});

/** A subagent that calls a tool which it does not have. */
const lacking = (name: string, fields: string, called: string, args: string[] = []): Case => {
  const steps: Step[] = [tool(called, { file_path: 'x', content: 'y' }), say('sub')];
  const start = { description: 'x', prompt: 'y', subagent_type: 'rev', run_in_background: false };
  return {
    name: `a subagent lacks a tool: ${name}`,
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits', '--forward-subagent-text', ...args],
    files: { '.claude/agents/rev.md': `---\nname: rev\ndescription: r\n${fields}---\nBe rev.` },
    turns: [[{ ...tool('Agent', start), subagent: steps }, say('done')]],
  };
};

/** What programs do with the variables, the flags and the messages of the CLI. */
export const DOOR_CASES: readonly Case[] = [
  plain('model of the environment', { env: SONNET }),
  plain('model of the environment and of settings', { env: SONNET, files: OPUS }),
  plain('model of the environment and of a flag', { env: SONNET, args: ['--model', 'opus'] }),
  plain('model of the environment, resumed', {
    env: SONNET,
    args: ['--resume', SESSION],
    before: [{ ...BEFORE, turns: [[say('before')]] }],
  }),
  plain('no model of the environment', { env: { ANTHROPIC_MODEL: '' } }),
  plain('tools to search with, allowed by a flag', { args: ['--allowedTools', 'Read,Glob,Grep'] }),
  plain('tools to search with, allowed for a file', { args: ['--allowedTools', 'Grep(src/**)'] }),
  plain('a flag for the auto mode', { args: ['--enable-auto-mode'] }),
  plain('a message of a hook in lines', {
    files: userHooks({ Stop: `printf '{"systemMessage":"first\\\\nsecond\\\\n\\\\nlast"}'` }),
  }),
  {
    name: 'a mode that the session was not started for',
    args: LIVING,
    turns: [[say('hello')]],
    talk: [
      ...control('init', { subtype: 'initialize' }),
      ...control('mode', { subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
      ...says('go'),
    ],
  },
  {
    name: 'a message with an origin',
    args: LIVING,
    turns: [[say('hello')]],
    talk: [
      ...control('init', { subtype: 'initialize' }),
      {
        send: {
          ...{ type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' },
          origin: { kind: 'human' },
        },
      },
      { until: 'result' },
    ],
  },
  lacking('few tools', 'tools: Read\n', 'Write'),
  lacking('one that it must not have', 'disallowedTools: Write\n', 'Write'),
  lacking('one that there is not', 'tools: Read\n', 'Nonsense'),
  lacking('one of no server', 'tools: Read\n', 'mcp__a__b'),
  lacking('one that the session has not', '', 'Write', ['--disallowedTools', 'Write']),
];
