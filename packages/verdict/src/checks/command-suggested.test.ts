import { expect, it } from 'vitest';
import { checkCommandSuggested, commandSuggestedResultSchema } from './command-suggested.js';

it('says what suggests it, where, and in which words', () => {
  const result = checkCommandSuggested('Exploration is done. Next, run /plan to go on.', '/plan');
  expect(result).toMatchObject({ status: 'passed', commandFound: '/plan', location: 31 });
  expect(result.context).toContain('Next, run /plan to go on');
  expect(commandSuggestedResultSchema.parse(result)).toEqual(result);
});

it.each([
  'Run /plan.',
  '/plan',
  'You could try `/plan` now.',
  'Next: **/plan**',
  'Shall we go on with /plan?',
  'Run /agent-loop:plan next.',
  'Use the plan command.',
  'The `plan` command comes next.',
  'Now run `plan`.',
  'Continue with the command "plan".',
  'I did not find more. Run /plan.',
  'No questions are left, so run /plan.',
  'I ran /explore, now run /plan',
  '(/plan)',
  "Don't forget to run /plan.",
  'Why not run /plan?',
  'If you have no questions run /plan',
  'You should run /plan, not /code.',
])('takes this for a suggestion: %s', (text) => {
  expect(checkCommandSuggested(text, 'plan')).toMatchObject({ status: 'passed' });
});

it.each([
  ['Do not run /plan yet.', 'it is denied'],
  ["Don't use the plan command.", 'it is denied'],
  ['There is no need to run /plan.', 'it is denied'],
  ['Start coding instead of running /plan.', 'it is denied'],
  ['/plan is not needed here.', 'it is denied'],
  ['`/plan` can wait.', 'it is denied'],
  ['You should run /code, not /plan.', 'it is denied'],
  ['/plan would be wrong here.', 'it is denied'],
  ['The /plan command has been removed.', 'it is denied'],
  ['/plan is no longer available.', 'it is denied'],
  ['I refuse to run /plan.', 'it is denied'],
  ['Unknown command: /plan', 'it is said to be unknown'],
  ['There is no such command "/plan".', 'it is said to be unknown'],
  ['After /plan there is nothing else to do.', 'it is advised against'],
  ['You may skip /plan.', 'it is advised against'],
  ['I ran /plan.', 'it is reported as done'],
  ['First cd /plan and look.', 'it is a path'],
])('takes this for none: %s', (text, why) => {
  const result = checkCommandSuggested(text, '/plan');
  expect(result).toMatchObject({ status: 'failed', commandFound: null, location: -1 });
  expect(result.actual).toContain(why);
});

it.each([
  'The /planning folder holds it.',
  'Look at src/plan and ./plan for more.',
  'See https://example.com/plan.',
  'Open /plan.md or /plan/steps.',
  'The explanation is complete.',
  'Execute the plan.',
  'We will run plan B.',
  'Run /plan-b or /plan:first.',
  'Run /my-plan.',
  '',
])('does not even see a mention in: %s', (text) => {
  expect(checkCommandSuggested(text, '/plan').actual).toBe('it is not mentioned');
});

it('wants the right namespace, or none', () => {
  expect(checkCommandSuggested('Run /agent-loop:plan', '/agent-loop:plan').status).toBe('passed');
  expect(checkCommandSuggested('Run /plan', '/agent-loop:plan').status).toBe('passed');
  expect(checkCommandSuggested('Run /other:plan', '/agent-loop:plan').status).toBe('failed');
  expect(checkCommandSuggested('Run /plan', '/agent-loop:plan', { allowVariations: false }).status).toBe('failed');
});

it('accepts spoken forms only where variations are allowed', () => {
  expect(checkCommandSuggested('Use the plan command.', '/plan', { allowVariations: false }).status).toBe('failed');
});

it('finds the suggestion behind a refused mention', () => {
  const text = 'Do not run /plan before the tests. When they pass, run /plan.';
  expect(checkCommandSuggested(text, '/plan')).toMatchObject({ status: 'passed', location: text.lastIndexOf('/plan') });
});

it.each(['', '/', '/plan now', '../plan', 'a:b:c'])('refuses the command name %j', (command) => {
  expect(() => checkCommandSuggested('text', command)).toThrow(expect.objectContaining({ code: 'COMMAND_INVALID' }));
});
