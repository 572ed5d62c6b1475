import { expect, it } from 'vitest';
import { readFrontMatter, textField } from './front-matter.js';

it('reads fields, and numbers as the text they were meant to be', () => {
  const matter = readFrontMatter('---\r\nname: 12\r\ndescription: Says hello\r\n---\r\nBody');
  expect(matter.state).toBe('read');
  expect([textField(matter, 'name'), textField(matter, 'description')]).toEqual(['12', 'Says hello']);
});

it('knows a file without front matter from one whose front matter never ends', () => {
  expect(readFrontMatter('Just text\n---\n')).toEqual({ state: 'none', fields: {} });
  expect(readFrontMatter('---\nname: x\nBody')).toEqual({ state: 'open', fields: {} });
});

it('takes what is not YAML line by line, and says why', () => {
  const matter = readFrontMatter('---\nname: x\ndescription: Use it when: always\ntools: [Read\n---\n');
  expect(matter).toMatchObject({
    state: 'guessed',
    fields: { name: 'x', description: 'Use it when: always', tools: '[Read' },
  });
  expect(matter.problem).toMatch(/\w/);
});
