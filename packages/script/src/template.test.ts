import { expect, it } from 'vitest';
import { fillTemplate } from './template.js';

const context = {
  prompt: { text: 'the prompt', command: { name: 'p:go', args: 'far' }, cwd: '/w', model: 'm' },
  captures: { groups: ['whole', 'first'], named: { city: 'Paris' } },
  results: 'ok',
};

it('knows the prompt, its surroundings, groups and results', () => {
  const text = '{{prompt}}|{{command}}|{{args}}|{{cwd}}|{{model}}|{{agent}}|{{0}}|{{1}}|{{city}}|{{ results }}';
  expect(fillTemplate(text, context)).toBe('the prompt|p:go|far|/w|m||whole|first|Paris|ok');
});

it('leaves what it does not know, and what only looks like a template', () => {
  const text = '{{unknown}} {{ user.name }} {prompt} {{7}} {{constructor}}';
  expect(fillTemplate(text, context)).toBe(text);
});

it('does not fill what a value brings along', () => {
  expect(fillTemplate('{{prompt}}', { ...context, prompt: { text: '{{cwd}}' } })).toBe('{{cwd}}');
});
