import { expect, it } from 'vitest';
import { defineScenario } from './load.js';
import type { Reply } from './reply.js';
import type { ScenarioDocument } from './schema.js';
import { Script } from './script.js';

const any = { type: 'any' } as const;
const contains = (text: string) => ({ type: 'contains', text }) as const;

function playOf(document: ScenarioDocument) {
  const script = new Script(defineScenario(document));
  return { script, play: script.play() };
}

function textOf(reply: Reply): string | undefined {
  if (reply.kind !== 'message') return undefined;
  return reply.message.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

const threeSteps: ScenarioDocument = {
  responses: [
    {
      pattern: contains('start'),
      response: 'one',
      turns: [
        { expect: any, response: 'two' },
        { expect: any, response: 'three' },
      ],
    },
  ],
};

it('activates a sequence at its entry, advances on a match and ends it after the last turn', () => {
  const { play } = playOf(threeSteps);
  expect(textOf(play.answer({ text: 'start' }))).toBe('one');
  expect(play.hasActiveSequence).toBe(true);
  expect(textOf(play.answer({ text: 'whatever' }))).toBe('two');
  expect(play.hasActiveSequence).toBe(true);
  expect(textOf(play.answer({ text: 'whatever' }))).toBe('three');
  expect(play.hasActiveSequence).toBe(false);
});

it('ends the sequence on a mismatch and answers by the ordinary rules', () => {
  const { play } = playOf({
    responses: [
      {
        pattern: contains('start'),
        response: 'started',
        turns: [{ expect: contains('continue'), response: 'continued' }],
      },
      { pattern: any, response: 'fallback' },
    ],
  });
  play.answer({ text: 'start' });
  expect(textOf(play.answer({ text: 'something else' }))).toBe('fallback');
  expect(play.hasActiveSequence).toBe(false);
  expect(textOf(play.answer({ text: 'continue' }))).toBe('fallback');
});

it('enters the sequence anew when the mismatch is itself an entry', () => {
  const { play } = playOf({
    responses: [
      { pattern: contains('start'), response: 'one', turns: [{ expect: contains('next'), response: 'two' }] },
    ],
  });
  play.answer({ text: 'start' });
  expect(textOf(play.answer({ text: 'start again' }))).toBe('one');
  expect(textOf(play.answer({ text: 'next' }))).toBe('two');
});

it('leaves one sequence for another: only one is active', () => {
  const { play } = playOf({
    responses: [
      { pattern: contains('a'), response: 'A', turns: [{ expect: contains('x'), response: 'AX' }] },
      { pattern: contains('b'), response: 'B', turns: [{ expect: contains('x'), response: 'BX' }] },
    ],
  });
  play.answer({ text: 'a' });
  expect(textOf(play.answer({ text: 'b' }))).toBe('B');
  expect(textOf(play.answer({ text: 'x' }))).toBe('BX');
});

it('serves the failure of a turn', () => {
  const { play } = playOf({
    responses: [
      {
        pattern: contains('start'),
        response: 'started',
        turns: [{ expect: any, response: '', failure: { type: 'auth_error', message: 'Session expired' } }],
      },
    ],
  });
  play.answer({ text: 'start' });
  expect(play.answer({ text: 'next' })).toMatchObject({
    kind: 'failure',
    rulePath: 'responses[0].turns[0]',
    failure: { type: 'auth_error', message: 'Session expired' },
  });
});

it('says what follows a failure only when the failure ends', () => {
  const rule = { pattern: any, response: 'back again' };
  const always = playOf({ responses: [{ ...rule, failure: { type: 'overloaded' } }] });
  const twice = playOf({ responses: [{ ...rule, failure: { type: 'overloaded', times: 2 } }] });
  expect(always.play.answer({ text: 'hi' })).not.toHaveProperty('afterwards');
  expect(twice.play.answer({ text: 'hi' })).toMatchObject({ afterwards: { blocks: [{ text: 'back again' }] } });
});

it('counts entries, not turns, against max_matches', () => {
  const { play } = playOf({
    responses: [
      { pattern: contains('start'), response: 'one', max_matches: 1, turns: [{ expect: any, response: 'two' }] },
    ],
  });
  expect(textOf(play.answer({ text: 'start' }))).toBe('one');
  expect(textOf(play.answer({ text: 'start' }))).toBe('two');
  expect(play.answer({ text: 'start' }).kind).toBe('unanswered');
});

it('never enters a rule with max_matches = 0', () => {
  const { play } = playOf({
    responses: [{ pattern: any, response: 'no', max_matches: 0 }],
    default_response: 'default',
  });
  expect(textOf(play.answer({ text: 'x' }))).toBe('default');
});

it('takes the first rule that matches', () => {
  const { play } = playOf({
    responses: [
      { pattern: contains('ab'), response: 'first' },
      { pattern: { type: 'exact', text: 'ab' }, response: 'second' },
    ],
  });
  expect(textOf(play.answer({ text: 'ab' }))).toBe('first');
});

it('keeps the turns of conversations apart, and what was used together', () => {
  const script = new Script(defineScenario(threeSteps));
  const [ada, bob] = [script.play(), script.play()];
  ada.answer({ text: 'start' });
  expect(bob.answer({ text: 'anything' }).kind).toBe('unanswered');
  expect(textOf(ada.answer({ text: 'anything' }))).toBe('two');
  expect(script.usage.count(0)).toBe(1);
});

it('goes on from a stored state', () => {
  const script = new Script(defineScenario(threeSteps));
  const first = script.play();
  first.answer({ text: 'start' });
  const stored = JSON.parse(JSON.stringify(first.state));
  expect(textOf(script.play(stored).answer({ text: 'go on' }))).toBe('two');
});

it('starts anew after a reset', () => {
  const { play } = playOf(threeSteps);
  play.answer({ text: 'start' });
  play.reset();
  expect(play.state).toEqual({ turn: 0, matches: {} });
  expect(play.answer({ text: 'go on' }).kind).toBe('unanswered');
});

it('matches a command by its name, with and without its plugin', () => {
  const { play } = playOf({
    responses: [
      { pattern: { type: 'command', name: 'explore', args: contains('db') }, response: 'the database' },
      { pattern: { type: 'command', name: '/loop:explore' }, response: 'of the plugin' },
      { pattern: { type: 'command', name: 'explore' }, response: 'anything' },
    ],
  });
  const command = (name: string, args: string) => ({ text: 'expanded', command: { name, args } });
  expect(textOf(play.answer(command('explore', 'the db')))).toBe('the database');
  expect(textOf(play.answer(command('loop:explore', '')))).toBe('of the plugin');
  expect(textOf(play.answer(command('other:explore', '')))).toBe('anything');
  expect(play.answer(command('explorer', '')).kind).toBe('unanswered');
  expect(play.answer({ text: 'explore' }).kind).toBe('unanswered');
});

it('names an unused rule by what it waits for', () => {
  const { script } = playOf({
    responses: [
      { pattern: any, when: { call: 2, agent: 'review*' }, response: 'a' },
      { pattern: { type: 'contains', text: 'x' }, when: { turn: 3 }, response: 'b' },
    ],
  });
  expect(script.usage.unused().map(({ pattern }) => pattern)).toEqual([
    'when agent = "review*", call = 2',
    'contains "x", when turn = 3',
  ]);
});

it('holds every condition of a rule against what surrounds the prompt', () => {
  const when = { system: 'pirate', model: 'claude-*', agent: 'review*', cwd: '*/api', turn: 2 };
  const { play } = playOf({ responses: [{ pattern: any, when, response: 'yes' }], default_response: 'no' });
  const fitting = { text: 'x', system: 'You are a pirate.', model: 'claude-opus', agent: 'reviewer', cwd: '/srv/api' };
  expect(textOf(play.answer(fitting)), 'turn 1').toBe('no');
  expect(textOf(play.answer(fitting)), 'turn 2').toBe('yes');
  for (const change of [
    { system: 'You are a poet.' },
    { model: 'gpt' },
    { agent: 'planner' },
    { cwd: '/srv/api/v2' },
    { agent: '' },
  ]) {
    const { play: other } = playOf({ responses: [{ pattern: any, when, response: 'yes' }], default_response: 'no' });
    other.answer(fitting);
    expect(textOf(other.answer({ ...fitting, ...change })), JSON.stringify(change)).toBe('no');
  }
});

it('leaves white space around a prompt out of account', () => {
  const { play } = playOf({ responses: [{ pattern: { type: 'exact', text: 'hi' }, response: 'hello' }] });
  expect(textOf(play.answer({ text: '  hi\n' }))).toBe('hello');
});

it('names the nearest rule when nothing answers', () => {
  const { play, script } = playOf({
    responses: [
      { pattern: contains('weather in Paris'), response: 'sunny' },
      { pattern: contains('deploy the service'), response: 'done' },
    ],
  });
  const reply = play.answer({ text: 'please deploy the servcie now' });
  expect(reply).toMatchObject({
    kind: 'unanswered',
    nearest: { rulePath: 'responses[1]', pattern: 'contains "deploy the service"' },
  });
  expect(script.usage.unmatched).toHaveLength(1);
});

it('names no nearest rule when none is near, however long the prompt is', () => {
  const patterns = [contains('weather'), contains('plan it'), { type: 'command', name: 'explore' } as const];
  const { play } = playOf({ responses: patterns.map((pattern) => ({ pattern, response: 'ok' })) });
  const long = 'Please explain the plot of this long and winding play, whether it rains or not, and what it can mean.';
  for (const text of ['zzz', long, 'explore the app', '/compact']) {
    expect(play.answer({ text }), text).not.toHaveProperty('nearest');
  }
  expect(play.answer({ text: 'see the wether report' })).toHaveProperty('nearest.rulePath', 'responses[0]');
  expect(play.answer({ text: '/p:explor it' })).toHaveProperty('nearest.rulePath', 'responses[2]');
});

it('says why a rule that matches did not answer', () => {
  const { play } = playOf({
    responses: [
      { pattern: any, max_matches: 0, response: 'never' },
      { pattern: contains('once'), max_matches: 1, response: 'done' },
      { pattern: contains('review'), when: { agent: 'reviewer' }, response: 'fine' },
      { pattern: contains('early'), when: { turn: 1 }, response: 'good morning' },
      { pattern: contains('begin'), response: 'begun', turns: [{ expect: contains('next'), response: 'n' }] },
    ],
  });
  play.answer({ text: 'once' });
  const why = (text: string) => play.answer({ text });
  expect(why('once')).toMatchObject({
    nearest: { rulePath: 'responses[1]' },
    message: expect.stringMatching(
      /responses\[1\] \(contains "once"\) matches it, but its `max_matches = 1` is used up$/,
    ),
    fix: 'Raise `max_matches` of responses[1], add a rule, or set `default_response`.',
  });
  expect(why('review it')).toMatchObject({
    message: expect.stringMatching(/but only if the agent matches glob "reviewer", and it is none \(`when.agent`\)$/),
    fix: expect.stringContaining('Change `when.agent` of responses[2]'),
  });
  expect(why('early')).toMatchObject({
    message: expect.stringMatching(/but only in turn 1, and this is turn 4 \(`when.turn`\)$/),
  });
  expect(why('other')).toMatchObject({ message: expect.stringMatching(/responses\[0\] \(any\) .*`max_matches = 0`/) });
});

it('names the turn of a sequence that was next', () => {
  const { play } = playOf({
    responses: [
      { pattern: contains('begin'), response: 'begun', turns: [{ expect: contains('next'), response: 'n' }] },
    ],
  });
  play.answer({ text: 'begin' });
  expect(play.answer({ text: 'nxt' })).toMatchObject({
    nearest: { rulePath: 'responses[0].turns[0]' },
    message: expect.stringMatching(/: responses\[0\].turns\[0\] was next, and expects contains "next"$/),
  });
});

it('tells which rules and turns were never used', () => {
  const { play, script } = playOf({
    responses: [
      {
        pattern: contains('a'),
        response: 'A',
        turns: [
          { expect: any, response: 'A1' },
          { expect: any, response: 'A2' },
        ],
      },
      { name: 'spare', pattern: contains('b'), response: 'B', optional: true },
    ],
  });
  play.answer({ text: 'a' });
  play.answer({ text: 'on' });
  expect(script.usage.unused()).toEqual([
    { kind: 'turn', rulePath: 'responses[0].turns[1]', pattern: 'any', optional: false },
    { kind: 'rule', rulePath: 'responses[1]', pattern: 'contains "b"', name: 'spare', optional: true },
  ]);
});

it('answers hooks by their own rules, and the conversation stays where it is', () => {
  const { script, play } = playOf({
    responses: [
      { pattern: any, when: { hook: 'Stop' }, max_matches: 1, response: '{"ok":false,"reason":"one more"}' },
      { pattern: contains('safe'), when: { hook: 'Pre*' }, response: '{"ok":false,"reason":"no"}' },
      ...(threeSteps.responses ?? []),
      { pattern: any, response: 'other' },
    ],
  });
  const judged = (hook: string, text: string) => {
    const reply = play.judge({ hook, text });
    return reply && textOf(reply);
  };
  expect(textOf(play.answer({ text: 'start' }))).toBe('one');
  expect(judged('Stop', 'Done?')).toContain('one more');
  expect(judged('Stop', 'Done?')).toBeUndefined();
  expect(judged('PreToolUse', 'Is it safe?')).toContain('no');
  expect(judged('PreToolUse', 'Is it good?')).toBeUndefined();
  expect(textOf(play.answer({ text: 'Is it safe?' }))).toBe('two');
  expect(script.usage.unused().map(({ rulePath }) => rulePath)).toEqual(['responses[2].turns[1]', 'responses[3]']);
});
