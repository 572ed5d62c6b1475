import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import { checkScreen, type ExpectedScreen } from './screen.js';

const contains = (text: string) => ({ type: 'contains', text }) as const;
const screen: EventBody = {
  type: 'screen',
  text: 'Do you want it?\n❯ 1. Yes\n  2. No',
  cursor: { row: 2, column: 3 },
  marks: [
    { row: 2, column: 1, text: '❯ 1. Yes', color: '#cd3131', bold: true },
    { row: 3, column: 3, text: '2. No', background: '#112233' },
  ],
};

function statuses(expected: ExpectedScreen, body: EventBody = screen): string[] {
  const turn = [{ seq: 0, at: '2026-01-01T00:00:00.000Z', turn: 1, ...body } as ConversationEvent];
  return checkScreen({ turn, all: turn }, expected).map(({ status }) => status);
}

it('text is there, or is not', () => {
  expect(statuses({ contains: [contains('1. Yes'), contains('3.')] })).toEqual(['passed', 'failed']);
  expect(statuses({ not_contains: [contains('3.'), contains('No')] })).toEqual(['passed', 'failed']);
});

it('a row by its number, from either end', () => {
  expect(statuses({ rows: [{ row: 1, text: contains('want') }] })).toEqual(['passed']);
  expect(statuses({ rows: [{ row: 2, text: contains('want') }] })).toEqual(['failed']);
  expect(statuses({ rows: [{ row: -1, text: contains('No') }] })).toEqual(['passed']);
  expect(statuses({ rows: [{ row: 9, text: contains('No') }] })).toEqual(['failed']);
});

it('the cursor stands where it should', () => {
  expect(statuses({ cursor: { row: 2 } })).toEqual(['passed']);
  expect(statuses({ cursor: { row: 2, column: 4 } })).toEqual(['failed']);
});

it('text looks as it should: colors by name or number, plain text has none', () => {
  expect(statuses({ looks: [{ text: 'Yes', color: 'red', bold: true }] })).toEqual(['passed']);
  expect(statuses({ looks: [{ text: 'Yes', color: 'bright red' }] })).toEqual(['failed']);
  expect(statuses({ looks: [{ text: 'Yes', bold: false }] })).toEqual(['failed']);
  expect(statuses({ looks: [{ text: 'No', background: '#112233' }] })).toEqual(['passed']);
  expect(statuses({ looks: [{ text: 'want', bold: false }] })).toEqual(['passed']);
  expect(statuses({ looks: [{ text: 'want', color: 'red' }] })).toEqual(['failed']);
  expect(statuses({ looks: [{ text: 'gone', bold: false }] })).toEqual(['failed']);
});

it('is not judged where there is no screen', () => {
  expect(statuses({ contains: [contains('x')] }, { type: 'text', text: 'x' })).toEqual(['unjudged']);
});
