import { type Case, control, LIVING, say, type Talk, tool, user } from '../case.js';
import { says } from './parts.js';

const living = (name: string, ...talk: Talk[]): Case => ({
  name: `a host that sends ${name}`,
  args: LIVING,
  turns: [[say('hello')], [say('again')]],
  talk,
});
const agent = { description: 'does b', prompt: 'Do b.' };
const init = (name: string, fields: object): Case =>
  living(name, ...control('init', { subtype: 'initialize', ...fields }), ...says('go'));
const START = { description: 'x', prompt: 'y', run_in_background: false };
const NO_HOOK = { hooks: { PreToolUse: [{ matcher: 5, hookCallbackIds: ['a'] }] } };
const NULL_MATCHER = { hooks: { PreToolUse: [{ matcher: null, hookCallbackIds: ['a'] }] } };

const skill = (name: string, root: string) => ({
  [`${root}/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: does ${name}\n---\nDo ${name}.`,
});
/** A host that chooses the skills that the model may call. */
const skilled = (name: string, skills: string[], called: string): Case => ({
  ...init(`the skills that count: ${name}`, { skills }),
  args: [...LIVING, '--plugin-dir', 'plug'],
  files: {
    'plug/.claude-plugin/plugin.json': { name: 'plug' },
    ...skill('one', '.claude'),
    ...skill('two', '.claude'),
    ...skill('three', 'plug'),
  },
  turns: [[tool('Skill', { skill: called }), say('done')]],
});

/** What a host sends: much of it is what it should not. */
export const HOST_INPUT_CASES: readonly Case[] = [
  {
    ...living('only its introduction'),
    files: {
      '.claude/settings.json': { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'sleep 1' }] }] } },
    },
    turns: [],
    talk: [{ send: { type: 'control_request', request_id: 'init', request: { subtype: 'initialize' } } }],
  },
  {
    ...living('commands by their other names', ...says('/shown', '/reset', '/new', '/stats')),
    files: { '.claude/commands/plain.md': '---\nname: shown\n---\nDo it.' },
    turns: [[say('not known')]],
  },
  living('an unknown message', { send: { type: 'nothing' } }, ...says('go')),
  living('what is no message', { send: 5 }, ...says('go')),
  living('an answer to nobody', { send: { type: 'control_response' } }, ...says('go')),
  living(
    'a message of the agent',
    { send: { type: 'user', message: { role: 'assistant', content: 'x' } } },
    user('go'),
  ),
  living('no message at all', { send: { type: 'user' } }),
  living('its introduction late', ...says('go'), ...control('init', { subtype: 'initialize' }), ...says('more')),
  living('a model that is none', ...control('model', { subtype: 'set_model', model: 5 }), ...says('go')),
  init('agents of which one is wrong', { agents: { a: { description: 'x' }, b: agent } }),
  init('agents with tools as a text', { agents: { a: { ...agent, tools: 'Read, Bash' } } }),
  init('an agent for one of the CLI', { agents: { Explore: agent } }),
  init('hooks that are none', NO_HOOK),
  init('hooks without a matcher', NULL_MATCHER),
  init('no list of servers', { sdkMcpServers: 'x' }),
  init('a title', { title: 'A title' }),
  init('an empty title', { title: '' }),
  skilled('one of them', ['one'], 'one'),
  skilled('another one', ['one'], 'two'),
  skilled('none', [], 'two'),
  skilled('one of the CLI', ['one'], 'simplify'),
  skilled('one of a plugin', ['plug:three'], 'plug:three'),
  skilled('one of a plugin, by its own name', ['three'], 'plug:three'),
  {
    ...init('that it wants to hear subagents', { forwardSubagentText: true }),
    turns: [[{ ...tool('Agent', START), subagent: [say('sub')] }, say('done')]],
  },
];
