import { type Case, control, LIVING, RECORD_PAYLOAD, type Step, say, type Talk, tool } from '../case.js';
import { userHooks } from './parts.js';

const FIRST = '11111111-1111-4111-8111-111111111111';
const SECOND = '22222222-2222-4222-8222-222222222222';
const THIRD = '33333333-3333-4333-8333-333333333333';

/** A message of the user, and the name that the host gives it. */
const put = (content: unknown, uuid?: string, more: object = {}): Talk => ({
  send: {
    ...{ type: 'user', ...(uuid === undefined ? {} : { uuid }), message: { role: 'user', content } },
    ...{ parent_tool_use_id: null, session_id: '', ...more },
  },
});
const RESULT: Talk = { until: 'result' };
/** The tool runs now. */
const WORKS: Talk = { until: 'assistant' };

const living = (name: string, turns: Step[][], talk: Talk[], more: Partial<Case> = {}): Case => ({
  ...{ name, turns },
  ...more,
  args: [...LIVING, '--allowedTools', 'Bash', ...(more.args ?? [])],
  talk: [...control('init', { subtype: 'initialize' }), ...talk],
});

const work = (seconds = '0.7'): Step => tool('Bash', { command: `sleep ${seconds}` });
const TURNS = [[work(), say('one')], [say('two')], [say('three')]];
/** The user says something while a tool runs, and something else when all is done. */
const meanwhile = (name: string, said: Talk[], more: Partial<Case> = {}, turns = TURNS): Case =>
  living(
    `while the agent works: ${name}`,
    turns,
    [put('first', FIRST), WORKS, ...said, RESULT, put('last'), RESULT],
    more,
  );
/** What the user says waits for a turn of its own. */
const waits = (name: string, said: Talk[], more: Partial<Case> = {}, turns = TURNS): Case =>
  living(`while the agent works: ${name}`, turns, [put('first', FIRST), WORKS, ...said, RESULT, RESULT], more);

const REPLAY = { args: ['--replay-user-messages'] };
const OBJECTS = 'grep -q second && { echo no >&2; exit 2; }; exit 0';
const STOPS_LATE = 'sleep 0.6; [ -f "$HOME/../once" ] && exit 0; touch "$HOME/../once"; echo again >&2; exit 2';
const BLOCKS = ['second', 'and more'].map((text) => ({ type: 'text', text }));
const SUBAGENT: Step = {
  ...tool('Agent', { description: 'x', prompt: 'y', subagent_type: 'general-purpose', run_in_background: false }),
  subagent: [work(), say('sub')],
};

const SLOW = [[{ say: 'one', delayMs: 900 }], [say('two')], [say('three')], [say('four')]];
/** Messages that wait together, while the model speaks. */
const queued = (name: string, others: Talk[], results: number, id?: string, files: Case['files'] = {}): Case =>
  living(
    `messages that wait: ${name}`,
    SLOW,
    [put('first', id), { until: 'init' }, { wait: 250 }, ...others, ...Array.from({ length: results }, () => RESULT)],
    { ...REPLAY, files },
  );
const named = (name: string, turns: Step[][], talk: Talk[], more: Partial<Case> = {}): Case =>
  living(`messages with names: ${name}`, turns, talk, more);

/** What the user says while the agent works, and what a host hears of the messages that it has named. */
export const MID_TURN_CASES: readonly Case[] = [
  meanwhile('one message', [put('second')]),
  meanwhile('one message with a name', [put('second', SECOND)]),
  meanwhile('two messages', [put('second', SECOND), put('third', THIRD)], REPLAY),
  meanwhile('blocks', [put(BLOCKS, SECOND)], REPLAY),
  meanwhile('words of the host', [put('second', SECOND, { isSynthetic: true })]),
  meanwhile('the next one', [put('second', SECOND, { priority: 'next' })]),
  meanwhile('and it goes on', [put('second', SECOND)], {}, [
    [work(), say('one')],
    [work('0.1'), say('two')],
    [say('three')],
  ]),
  meanwhile('a hook hears it', [put('second')], { files: userHooks({ UserPromptSubmit: RECORD_PAYLOAD }) }),
  meanwhile('a hook adds to it', [put('second')], { files: userHooks({ UserPromptSubmit: 'echo told' }) }),
  meanwhile('a hook refuses it', [put('second', SECOND)], { files: userHooks({ UserPromptSubmit: OBJECTS }) }),
  meanwhile('in parts', [put('second', SECOND)], { args: ['--include-partial-messages'] }),
  meanwhile('a subagent works', [put('second')], {}, [[SUBAGENT, say('one')], [say('two')], [say('three')]]),
  waits('a command', [put('/do it', SECOND)], { files: { '.claude/commands/do.md': 'Do it well: $ARGUMENTS' } }),
  waits('a command of the CLI', [put('/cost', SECOND), put('third', THIRD)]),
  waits('what can wait', [put('second', SECOND, { priority: 'later' }), put('third', THIRD)]),
  waits('what cannot wait', [put('second', SECOND, { priority: 'now' })], {}, [[work('5'), say('one')], [say('two')]]),
  waits('an interruption', [put('second', SECOND), { wait: 200 }, ...control('stop', { subtype: 'interrupt' })], {}, [
    [work('5'), say('one')],
    [say('two')],
  ]),
  living(
    'while the model speaks: what cannot wait',
    [[{ say: 'slow', delayMs: 3000 }], [say('two')]],
    [put('first', FIRST), { until: 'init' }, { wait: 200 }, put('second', SECOND, { priority: 'now' }), RESULT, RESULT],
  ),
  living(
    'while a Stop hook runs: one message',
    [[say('one')], [say('two')], [say('three')]],
    [put('first'), WORKS, put('second'), RESULT, RESULT],
    { files: userHooks({ Stop: STOPS_LATE }) },
  ),
  queued('two', [put('second', SECOND)], 2, FIRST),
  queued('three', [put('second', SECOND), put('third', THIRD)], 2, FIRST),
  queued('some of them with names', [put('second'), put('third', THIRD), put('/cost'), put('last')], 4),
  queued('blocks', [put(BLOCKS), put('third')], 2),
  queued('one that can wait', [put('second', SECOND, { priority: 'later' }), put('third', THIRD)], 3),
  queued(
    'three, and a hook',
    [put('second'), put('third')],
    2,
    undefined,
    userHooks({ UserPromptSubmit: RECORD_PAYLOAD }),
  ),
  named(
    'the same again',
    [[say('one')], [say('two')]],
    [put('first', FIRST), RESULT, put('first', FIRST), put('second', SECOND), RESULT],
  ),
  named('a command of the CLI', [[say('one')]], [put('/cost', FIRST), RESULT, put('second', SECOND), RESULT]),
  named('refused by a hook', [[say('one')]], [put('second', FIRST), RESULT, put('last', SECOND), RESULT], {
    files: userHooks({ UserPromptSubmit: OBJECTS }),
  }),
  named('stopped by a hook', [[say('one')]], [put('second', FIRST), RESULT, put('last', SECOND), RESULT], {
    files: userHooks({ UserPromptSubmit: `grep -q second && echo '{"continue":false,"stopReason":"enough"}'; exit 0` }),
  }),
  named(
    'an interruption',
    [[{ say: 'slow', delayMs: 3000 }], [say('after')]],
    [
      put('first', FIRST),
      { until: 'init' },
      { wait: 200 },
      ...control('stop', { subtype: 'interrupt' }),
      RESULT,
      put('second', SECOND),
      RESULT,
    ],
  ),
  named('with their replay', [[say('one')], [say('two')]], [put('first', FIRST), RESULT, put('last'), RESULT], REPLAY),
];
