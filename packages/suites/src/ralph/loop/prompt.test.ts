import { expect, it } from 'vitest';
import { parseConfig } from './config.js';
import { buildPrompt, type PromptParts } from './prompt.js';

const config = parseConfig(`
core: { guardrails: [Be careful.] }
hats:
  planner: { name: Planner, triggers: [plan.start], publishes: [build.task], description: plans | decides }
  builder: { name: Builder, triggers: [build.task], publishes: [build.done], instructions: 'Always say "I am the Builder".' }
`);
const parts = (more: Partial<PromptParts> = {}): PromptParts => ({
  config,
  objective: 'Write a parser.',
  scratchpad: '- [ ] lexer',
  memories: '# Memories\n\n## Fixes\n',
  pending: [{ topic: 'build.task', payload: 'the lexer', ts: '' }],
  ...more,
});
const headings = (prompt: string) => prompt.match(/^(?:#{1,2} .*|<scratchpad)/gm);

it('puts the sections of a coordinating agent in order', () => {
  expect(headings(buildPrompt(parts()))).toEqual([
    '<scratchpad',
    '# Memories',
    '## Fixes',
    '## MEMORY COMMANDS',
    '## GUARDRAILS',
    '## OBJECTIVE',
    '## PENDING EVENTS',
    '## HATS',
    '## EVENT WRITING',
    '## DONE',
  ]);
});

it('shows the coordinator a table of all hats and the promise', () => {
  const prompt = buildPrompt(parts());
  expect(prompt).toContain('| Hat | Triggers On | Publishes | Description |');
  expect(prompt).toContain('| Planner | plan.start | build.task | plans \\| decides |');
  expect(prompt).toContain('| Builder | build.task | build.done |  |');
  expect(prompt).toMatch(/\nLOOP_COMPLETE\n$/);
});

it('shows a hat its instructions, and neither the table nor the promise', () => {
  const prompt = buildPrompt(parts({ hat: config.hats[1] }));
  expect(prompt).toContain(
    '## ACTIVE HAT\n\nYou are Builder.\n\n### Builder Instructions\n\nAlways say "I am the Builder".',
  );
  expect(prompt).toContain('- `build.done` goes to Ralph');
  expect(prompt).not.toContain('## HATS');
  expect(prompt).not.toContain('LOOP_COMPLETE');
});

it('tells the pending events and the objective', () => {
  const prompt = buildPrompt(parts());
  expect(prompt).toContain('Event: build.task - the lexer');
  expect(prompt).toContain('## OBJECTIVE\n\nWrite a parser.');
});

it('leaves out what is empty', () => {
  const bare = buildPrompt(
    parts({
      config: parseConfig('{ core: { guardrails: [] }, memories: { enabled: false } }'),
      scratchpad: ' ',
      memories: '',
      pending: [],
    }),
  );
  expect(headings(bare)).toEqual(['## OBJECTIVE', '## EVENT WRITING', '## DONE']);
});
