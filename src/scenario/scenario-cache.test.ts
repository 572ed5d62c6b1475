import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../process/scratch.js';
import { defineScenario } from './load.js';
import { keepScenario, readCachedScenario } from './scenario-cache.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('cache');
});
afterEach(() => scratch.remove());

const file = '/somewhere/scenario.json';
const written = {
  responses: [
    {
      pattern: { type: 'contains', text: 'write' },
      response: { text: 'Now.', tool_calls: [{ tool: 'Write', input: { content: { $text: 'literally {{this}}' } } }] },
    },
  ],
};

it('gives a scenario back as it was kept, with texts that are no templates', () => {
  const env = { HOME: scratch.path };
  const scenario = defineScenario(written, { file });
  const text = JSON.stringify(written);
  keepScenario(scenario, text, env);
  expect(readCachedScenario(file, text, env)?.document).toStrictEqual(scenario.document);
});

it('does not know a scenario of another text', () => {
  const env = { HOME: scratch.path };
  keepScenario(defineScenario(written, { file }), 'one', env);
  expect(readCachedScenario(file, 'another', env)).toBeUndefined();
});
