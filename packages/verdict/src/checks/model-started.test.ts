import { expect, it } from 'vitest';
import { checkModelStarted } from './model-started.js';

const at = { seq: 0, at: '', turn: 1 };
const session = (model: string | undefined) => [
  { ...at, type: 'session' as const, agent: 'claude', stage: 'scripted' as const, sessionId: 's', cwd: '/', model },
];

it.each([
  ['claude-opus-4-1', 'claude-opus-5-5'],
  ['gpt-5.1', 'gpt-5'],
])('is red when %s was asked for and %s works', (wanted, model) => {
  expect(checkModelStarted(session(model) as never, wanted)).toMatchObject([
    { status: 'failed', actual: `it works with ${model}` },
  ]);
});

it.each([
  ['claude-opus-4-5', 'claude-opus-4-5-20251101'],
  ['claude-sonnet-5[1m]', 'claude-sonnet-5'],
  ['anthropic/claude-sonnet-5', 'claude-sonnet-5'],
  ['opus', 'claude-opus-5-5'],
  ['claude-opus-4-1', undefined],
  [undefined, 'claude-opus-5-5'],
])('says nothing when %s was asked for and %s works', (wanted, model) => {
  expect(checkModelStarted(session(model) as never, wanted)).toEqual([]);
});
