import { describe, expect, it } from 'vitest';
import { readFrontMatter, textField, toolListField } from './front-matter.js';

const file = (head: string, body = 'Body\n') => `---\n${head}\n---\n${body}`;

describe('front matter', () => {
  it.each([
    ['plain fields', file('name: x\ndescription: Says hello'), 'Body\n'],
    ['line ends of Windows', '---\r\ndescription: d\r\n---\r\nBody\r\n', 'Body\r\n'],
    ['a byte order mark', `\uFEFF${file('description: d')}`, 'Body\n'],
    ['spaces behind the fences', '---  \ndescription: d\n---  \nBody\n', 'Body\n'],
    ['an indented body', file('description: d', '\n\n   Body\n'), 'Body\n'],
    ['a fence that is no line of its own', '---\ndescription: d\n--- words\nBody\n', 'words\nBody\n'],
    ['no body', '---\ndescription: d\n---', ''],
  ])('is read with %s', (_what, source, body) => {
    expect(readFrontMatter(source)).toMatchObject({ state: 'read', body, lost: [] });
  });

  it.each([
    ['text', 'Just text\n---\n', 'none'],
    ['a line before it', '\n---\nname: x\n---\n', 'none'],
    ['a first fence with more', '---x\nname: x\n---\n', 'none'],
    ['no second fence', '---\nname: x\nBody', 'open'],
  ])('is not there in a file with %s', (_what, source, state) => {
    expect(readFrontMatter(source)).toEqual({ state, fields: {}, body: source, lost: [] });
  });

  it.each([
    ['a colon', 'description: Use it when: always', 'Use it when: always'],
    ['an open list', 'description: [Read', '[Read'],
    ['a star', 'description: *star', '*star'],
    ['quotes inside', 'description: say: "hi"', 'say: "hi"'],
    ['an open quote and a colon', 'description: "open: it', '"open: it'],
  ])('with %s is repaired: the value is put in quotes', (_what, head, description) => {
    const matter = readFrontMatter(file(`${head}\ntools: Read`));
    expect(matter).toMatchObject({ state: 'repaired', fields: { description, tools: 'Read' }, lost: [] });
    expect(matter.problem).toMatch(/\w/);
  });

  it.each([
    ['an example on lines of its own', 'description: Use it. <example>\nuser: "Hi"\n</example>'],
    ['a second line that is not indented', 'description: First\nsecond'],
    ['an indented line with a colon', 'description: First\n  Context: second'],
    ['a colon at the end', 'description: ends with:'],
    ['an open quote', 'description: "open'],
    ['more behind a quoted text', 'description: "quoted" and more'],
    ['a block and a value that needs quotes', 'description: |\n  text\nx: @a'],
    ['a mistake below the first level', 'description: d\nmetadata:\n  x: @a'],
    ['a mistake in a field with a digit in its name', 'description: d\nkey2: @a'],
  ])('with %s is dropped, all of it', (_what, head) => {
    expect(readFrontMatter(file(`name: x\n${head}\ntools: Read`))).toMatchObject({
      state: 'dropped',
      fields: {},
      body: 'Body\n',
      lost: expect.arrayContaining(['name', 'description', 'tools']),
    });
  });

  it('is dropped for a colon in a file with line ends of Windows', () => {
    expect(readFrontMatter('---\r\ndescription: a: b\r\n---\r\n').state).toBe('dropped');
  });

  it('loses what stands behind three dashes', () => {
    expect(readFrontMatter(file('description: has --- inside\ntools: Read'))).toMatchObject({
      fields: { description: 'has' },
      body: 'inside\ntools: Read\n---\nBody\n',
      lost: ['tools'],
    });
  });

  it('takes the last of two fields with one name, and a tab for indentation', () => {
    expect(readFrontMatter(file('description: one\ndescription: two\ntools:\n\t- Read')).fields).toEqual({
      description: 'two',
      tools: ['Read'],
    });
  });
});

it.each([
  ['12', '12'],
  ['true', 'true'],
  ['"  "', undefined],
  ['null', undefined],
  ['\n  - a', undefined],
])('the text of %j is %j', (value, text) => {
  expect(textField(readFrontMatter(file(`name: ${value}`)), 'name')).toBe(text);
});

it.each([
  ['Read, Grep', ['Read', 'Grep']],
  ['Read Grep', ['Read', 'Grep']],
  ['[Read, "Grep"]', ['Read', 'Grep']],
  ['Bash(git log:*), Read', ['Bash(git log:*)', 'Read']],
  ['Bash(git log *), Read', ['Bash(git log *)', 'Read']],
  ['', []],
])('the tools of %j', (value, tools) => {
  expect(toolListField(readFrontMatter(file(`tools: ${value}`)), 'tools')).toEqual(tools);
});
