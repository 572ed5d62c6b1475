import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toScenario } from './load.js';
import { keepScenario, readCachedScenario, writeChecked } from './scenario-cache.js';

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
  const scenario = toScenario({ value: written, file });
  const text = JSON.stringify(written);
  keepScenario(scenario, text, env);
  expect(readCachedScenario(file, text, env)?.document).toStrictEqual(scenario.document);
});

it('does not know a scenario of another text', () => {
  const env = { HOME: scratch.path };
  keepScenario(toScenario({ value: written, file }), 'one', env);
  expect(readCachedScenario(file, 'another', env)).toBeUndefined();
});

it('takes a file that was valid when it was written as it is, and no other', () => {
  const path = join(scratch.path, 'scenario.json');
  const scenario = toScenario({ value: written, file: path });
  const env = { HOME: scratch.path, ...writeChecked(scenario.document, path) };
  const text = readFileSync(path, 'utf8');
  expect(readCachedScenario(path, text, env)?.document).toStrictEqual(scenario.document);
  expect(readCachedScenario(join(scratch.path, 'other.json'), text, env)).toBeUndefined();
  expect(readCachedScenario(path, 'no JSON', env)).toBeUndefined();
});

it('does not vouch for a scenario that depends on other files', () => {
  const document = { responses: [{ pattern: { type: 'any' as const }, response: '$file' }] };
  expect(writeChecked(document, join(scratch.path, 'scenario.json'))).toEqual({});
});
