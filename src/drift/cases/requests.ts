import { type Case, control, LIVING, RECORD_PAYLOAD, STREAM, type Step, say, type Talk, tool, user } from '../case.js';
import { says } from './parts.js';

const INIT = control('init', { subtype: 'initialize' });
const ask = (subtype: string, fields: Record<string, unknown> = {}, id = subtype) =>
  control(id, { subtype, ...fields });

/** A conversation in which the host asks for things between two prompts. */
const request = (name: string, talk: Talk[], more: Partial<Case> = {}): Case => ({
  name: `request: ${name}`,
  args: LIVING,
  turns: [[say('one')], [say('two')]],
  ...more,
  talk: [...INIT, ...says('first'), ...talk, ...says('second')],
});

const EDIT: Step[] = [tool('Edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }), say('two')];

const EXACT = ['Bash(touch b)', 'Bash(ls:*)', 'Bash(pwd *)'];

/** What hosts ask of a session besides prompts. */
export const REQUEST_CASES: readonly Case[] = [
  request('rename', ask('rename_session', { title: 'A new name' })),
  request('rename to nothing', ask('rename_session', { title: '' })),
  request('read a file', ask('read_file', { path: 'a.txt' }), { files: { 'a.txt': 'one\n' } }),
  request('read a file that is not there', ask('read_file', { path: 'none.txt' })),
  request('read a folder', ask('read_file', { path: 'sub' }), { files: { 'sub/a.txt': 'one\n' } }),
  request('read a file elsewhere', ask('read_file', { path: '/etc/hostname-of-nobody' })),
  request('a file was not read', [], {
    files: { 'a.txt': 'one\n' },
    turns: [[say('one')], EDIT],
    args: [...LIVING, '--permission-mode', 'acceptEdits'],
  }),
  request('a file was read', ask('seed_read_state', { path: 'a.txt', mtime: 9_999_999_999_999 }), {
    files: { 'a.txt': 'one\n' },
    turns: [[say('one')], EDIT],
    args: [...LIVING, '--permission-mode', 'acceptEdits'],
  }),
  request('a file was read, long ago', ask('seed_read_state', { path: 'a.txt', mtime: 1 }), {
    files: { 'a.txt': 'one\n' },
    turns: [[say('one')], EDIT],
    args: [...LIVING, '--permission-mode', 'acceptEdits'],
  }),
  request('settings: a model', ask('apply_flag_settings', { settings: { model: 'claude-sonnet-4-5' } })),
  request('settings: a rule', ask('apply_flag_settings', { settings: { permissions: { allow: ['Bash(touch:*)'] } } }), {
    turns: [[say('one')], [tool('Bash', { command: 'touch b' }), say('two')]],
  }),
  request(
    'settings: a rule against it',
    ask('apply_flag_settings', { settings: { permissions: { deny: ['Bash(ls:*)'] } } }),
    { turns: [[say('one')], [tool('Bash', { command: 'ls' }), say('two')]] },
  ),
  {
    name: 'rules that are the very command',
    args: [...STREAM, 'go', '--settings', JSON.stringify({ permissions: { deny: EXACT } })],
    turns: [
      [
        ...[
          'touch b',
          'touch b ',
          'touch  b',
          'ls',
          'ls -a',
          'A=1 ls',
          'ls > x',
          '/bin/ls',
          'ls && ls',
          'pwd',
          'pwd -P',
        ].map((command) => tool('Bash', { command })),
        say('done'),
      ],
    ],
  },
  request('settings: nothing', ask('apply_flag_settings', { settings: {} })),
  request('settings: none', ask('apply_flag_settings')),
  request(
    'cancel what is not queued',
    ask('cancel_async_message', { message_uuid: '44444444-4444-4444-8444-444444444444' }),
  ),
  {
    name: 'request: cancel what is queued',
    args: LIVING,
    turns: [[tool('Bash', { command: 'sleep 1' }), say('one')], [say('two')]],
    talk: [
      ...INIT,
      user('first'),
      { until: 'assistant' },
      {
        send: {
          ...{ type: 'user', message: { role: 'user', content: 'other' }, parent_tool_use_id: null, session_id: '' },
          uuid: '44444444-4444-4444-8444-444444444444',
        },
      },
      ...ask('cancel_async_message', { message_uuid: '44444444-4444-4444-8444-444444444444' }),
      { until: 'result' },
      ...says('second'),
    ],
  },
  request('stop what does not run', ask('stop_task', { task_id: 'nothing' })),
  request('the version', ask('get_binary_version')),
  request('the models', ask('list_models')),
  request('background tasks', ask('background_tasks')),
  request('files that begin with', ask('file_suggestions', { query: 'a' }), { files: { 'a.txt': '', 'b/ab.txt': '' } }),
  request('the usage', ask('get_usage')),
  request('what nobody knows', ask('no_such_request')),
  request('a title', ask('generate_session_title', { description: 'mend the login page of the web application' })),
  request('a title to keep', [
    ...ask('generate_session_title', { description: 'mend the login page', persist: true }),
    ...ask('generate_session_title', { description: 'write the tests for it', persist: true }, 'kept'),
    ...ask('generate_session_title', { description: 'write the docs for it' }, 'other'),
  ]),
  request('a title of too little', [
    ...ask('generate_session_title', { description: ' a b c d e ' }),
    ...ask('generate_session_title', { description: 'abcdefghij' }, 'enough'),
    ...ask('generate_session_title', {}, 'none'),
  ]),
  request('a title beside a name', [
    ...ask('rename_session', { title: 'A name' }),
    ...ask('generate_session_title', { description: 'mend the login page', persist: true }),
  ]),
  {
    name: 'request: a title that was kept in a session that goes on',
    turns: [[say('one')]],
    args: [...LIVING, '--resume', '77777777-7777-4777-8777-777777777777'],
    before: [
      {
        args: [...LIVING, '--session-id', '77777777-7777-4777-8777-777777777777'],
        turns: [[say('zero')]],
        talk: [
          ...INIT,
          ...ask('generate_session_title', { description: 'mend the login page', persist: true }),
          ...says('before'),
        ],
      },
    ],
    talk: [
      ...INIT,
      ...ask('generate_session_title', { description: 'write the tests for it', persist: true }),
      ...says('first'),
    ],
  },
  {
    name: 'request: suggestions',
    args: LIVING,
    turns: [[say('one')], [say('two')], [say('three')]],
    talk: [
      ...control('init', { subtype: 'initialize', promptSuggestions: true }),
      ...says('first'),
      ...says('second'),
      { wait: 500 },
      ...ask('set_prompt_suggestions_paused', { paused: true }),
      ...says('third'),
    ],
  },
  request('output styles', ask('reload_output_styles')),
  {
    name: 'request: an end',
    args: LIVING,
    turns: [[say('one')], [say('two')]],
    files: {
      '.claude/settings.json': { hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }] } },
    },
    talk: [...INIT, ...says('first'), ...ask('end_session'), user('second')],
  },
  {
    name: 'request: an end while a tool runs',
    args: [...LIVING, '--permission-mode', 'bypassPermissions'],
    turns: [[tool('Bash', { command: 'sleep 5' }), say('after')]],
    talk: [...INIT, user('first'), { until: 'assistant' }, { wait: 400 }, ...ask('end_session'), { until: 'result' }],
  },
];
