import { expect, it } from 'vitest';
import { defineScenario } from '../scenario/load.js';
import { withRealTools } from './model.js';

const document = { default_response: 'x', tool_execution: { tools: { Bash: { auto_approve: true } } } };

it('lets tools really run on the stand-in', () => {
  const { file, document: played } = withRealTools(defineScenario(document, { file: 'own.toml' }));
  expect(played.tool_execution).toEqual({ ...document.tool_execution, mode: 'live' });
  // The file on the disk says something else, so the stand-in must not read that one.
  expect(file).toBeUndefined();
});

it('mocks tools where the script says so', () => {
  const mocked = defineScenario({ ...document, tool_execution: { mode: 'mock' } });
  expect(withRealTools(mocked)).toBe(mocked);
});
