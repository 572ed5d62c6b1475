import { keyBytes } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { expect, it } from 'vitest';
import type { RehearsalDocument, Step } from './schema.js';
import { actionOf, describeStep, reviewTerminalSteps } from './terminal-step.js';

const problems = (step: Step, terminal: RehearsalDocument['terminal'] = {}) =>
  reviewTerminalSteps({ terminal, steps: [step] }).map(({ code, path }) => `${code} ${path.join('.')}`);

it('refuses steps that do nothing, need a terminal, or press what is no key', () => {
  expect(problems({})).toEqual(['MISSING_FIELD steps.0']);
  expect(problems({ send: 'hi' })).toEqual([]);
  expect(problems({ press: ['enter', 'ctrl+c', 'alt+1', 'shift+tab'] })).toEqual([]);
  expect(problems({ press: 'return' })).toEqual(['UNKNOWN_VALUE steps.0.press']);
  expect(problems({ send: 'a', type: 'b' })).toEqual(['CONFLICTING_FIELDS steps.0.type']);
  const none = (step: Step) => reviewTerminalSteps({ steps: [step] }).map(({ path }) => path.join('.'));
  expect(none({ press: 'enter' })).toEqual(['steps.0.press']);
  expect(none({ send: 'hi', expect: { screen: { contains: 'x' } } })).toEqual(['steps.0.expect.screen']);
});

it('names the nearest key', () => {
  const [problem] = reviewTerminalSteps({ terminal: {}, steps: [{ press: 'Entr' }] });
  expect(problem?.fix).toBe('Change it to "enter".');
});

it('is told in words', () => {
  expect(describeStep({ send: 'hi', wait_for: 'ready' })).toBe('hi');
  expect(describeStep({ type: 'y', press: ['enter'] })).toBe('y [enter]');
  expect(describeStep({ wait_for: 'ready' })).toBe('(wait for contains "ready")');
});

it('waits for a pattern on the screen', () => {
  const waitFor = actionOf({ wait_for: { type: 'regex', pattern: 'yes|no' } })?.waitFor;
  expect(waitFor?.isIn('say no')).toBe(true);
  expect(waitFor?.isIn('say nothing?'.replace('no', 'some'))).toBe(false);
});

it('keys are what a terminal sends', () => {
  expect([keyBytes('enter'), keyBytes('ctrl+c'), keyBytes('alt+b')]).toEqual(['\r', '\u0003', '\u001bb']);
});

it('refuses what a program in a terminal does not have', () => {
  const run: Step = { run: ['./ask.sh'] };
  const found = (steps: Step[], terminal: RehearsalDocument['terminal']) =>
    reviewTerminalSteps({ ...defined({ terminal }), steps }).map(({ path }) => path.join('.'));
  expect(found([run, { send: 'yes', expect: { screen: { contains: 'x' }, files: [] } }], {})).toEqual([]);
  expect(found([{ send: 'yes' }, run], {})).toEqual(['steps.0']);
  expect(found([run, { send: 'yes', expect: { tools: { all: ['Bash'] } } }], {})).toEqual(['steps.1.expect.tools']);
  expect(found([{ ...run, stdin: 'yes', expect: { stdout: 'x' } }], {})).toEqual([
    'steps.0.stdin',
    'steps.0.expect.stdout',
  ]);
  expect(found([{ ...run, wait_for: 'x', expect: { screen: { contains: 'x' } } }], undefined)).toEqual([
    'steps.0.wait_for',
    'steps.0.expect.screen',
  ]);
});
