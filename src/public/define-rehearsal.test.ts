import { defineScenario } from '@understudy/script';
import { expect, it } from 'vitest';
import { defineRehearsal } from './define-rehearsal.js';

it('takes what a file could say, and gives it back', () => {
  const rehearsal = defineRehearsal({
    agent: ['claude', 'codex'],
    stage: 'sim',
    responses: [{ when: { hook: 'Stop' }, response: '{}' }],
    steps: [
      { run: ['node', 'a.mjs'], expect: { exit_code: 0 } },
      { send: 'x', expect: { workflow: { from: 'a', to: 'b' } } },
    ],
  });
  expect(rehearsal.stage).toBe('sim');
});

/** None of these compiles: the types are those of the schema. `npm run types` finds one that does. */
const refused = () => {
  // @ts-expect-error An unknown field.
  defineRehearsal({ step: [], steps: [{ send: 'x' }] });
  // @ts-expect-error An unknown expectation.
  defineRehearsal({ steps: [{ send: 'x', expect: { sayz: 'y' } }] });
  // @ts-expect-error What only a turn has, of a program.
  defineRehearsal({ steps: [{ run: 'x', expect: { says: 'y' } }] });
  // @ts-expect-error No such stage.
  defineRehearsal({ stage: 'simulated', steps: [{ send: 'x' }] });
  // @ts-expect-error No steps.
  defineRehearsal({ name: 'x' });
  // @ts-expect-error A rule for every prompt says so.
  defineScenario({ responses: [{ response: 'x' }] });
  // @ts-expect-error An unknown field of a response.
  defineScenario({ default_response: { txt: 'x' } });
};

it('refuses to compile what the schema refuses', () => {
  expect(refused).toThrow();
});
