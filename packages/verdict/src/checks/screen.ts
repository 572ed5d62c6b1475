import { colorName, type EventOf, hexColor, isColor } from '@understudy/agents';
import { field, required } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, givenAt, positive, type Saying, saying, sayings, type Written } from './define-check.js';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

type Screen = EventOf<'screen'>;

const LOOKS = ['bold', 'italic', 'underline', 'dim', 'inverse'] as const;

const color = z.string().check(z.refine((name) => isColor(name)));
const look = (how: string) => field(`Whether it is ${how}.`, z.boolean());

/** How a text on the screen must look. */
const lookSchema = z.strictObject({
  text: required('The text that looks like this.', z.string().check(z.minLength(1))),
  color: field('Its color: a name such as "bright red", or "#rrggbb".', color),
  background: field('The color behind it.', color),
  bold: look('bold'),
  italic: look('italic'),
  underline: look('underlined'),
  dim: look('dim'),
  inverse: look('shown with its colors exchanged'),
});

/** Rows and columns count from 1; row -1 is the last one that is not empty. */
const schema = z.strictObject({
  contains: field('Texts that the screen shows.', sayings),
  not_contains: field('Texts that the screen does not show.', sayings),
  rows: field(
    'Texts of single rows.',
    z.array(
      z.strictObject({
        row: required('The row, from 1; -1 is the last one that is not empty.', z.int()),
        text: required('A text that the row shows, or a pattern.', saying),
      }),
    ),
  ),
  cursor: field(
    'Where the cursor is.',
    z.strictObject({ row: field('The row, from 1.', positive), column: field('The column, from 1.', positive) }),
  ),
  looks: field('How texts look.', z.array(lookSchema)),
});
type ExpectedLook = Written<typeof lookSchema>;
export type ExpectedScreen = Written<typeof schema>;

/** What the terminal showed at the end of a step: one result for each thing that is asked. */
export function checkScreen(seen: Observed, expected: ExpectedScreen): CheckResult[] {
  const screen = pick(seen.turn, 'screen').at(-1);
  if (screen === undefined) return [noScreen()];
  const { contains = [], not_contains = [], rows = [], cursor, looks = [] } = expected;
  return [
    ...[contains].flat().map((pattern) => textCheck(screen, pattern, true)),
    ...[not_contains].flat().map((pattern) => textCheck(screen, pattern, false)),
    ...rows.map(({ row, text }) => rowCheck(screen, row, text)),
    ...(cursor === undefined ? [] : [cursorCheck(screen, cursor)]),
    ...looks.map((look) => lookCheck(screen, look)),
  ];
}

function noScreen(): CheckResult {
  return {
    ...{ name: 'screen', category: 'text', subject: { kind: 'screen' }, status: 'unjudged' },
    expected: 'a screen to look at',
    actual: 'the step has no screen',
    evidence: [],
    suggestion: 'Give the rehearsal a `terminal`.',
  };
}

function result(screen: Screen, passed: boolean, told: Pick<CheckResult, 'expected' | 'actual'>): CheckResult {
  return {
    ...{ name: 'screen', category: 'text', subject: { kind: 'screen' }, status: statusOf(passed) },
    ...told,
    evidence: passed ? [] : screen.text.split('\n'),
  };
}

function textCheck(screen: Screen, written: Saying, wanted: boolean): CheckResult {
  const pattern = asTextPattern(written);
  const shown = compileTextPattern(pattern).match(screen.text) !== undefined;
  return result(screen, shown === wanted, {
    expected: `the screen ${wanted ? 'shows' : 'does not show'} ${shownText(pattern)}`,
    actual: shown ? 'it is shown' : 'it is not shown',
  });
}

function shownText(pattern: TextPattern): string {
  return pattern.type === 'contains' ? JSON.stringify(pattern.text) : describePattern(pattern);
}

function rowCheck(screen: Screen, row: number, written: Saying): CheckResult {
  const pattern = asTextPattern(written);
  const lines = screen.text.split('\n');
  const line = (row > 0 ? lines[row - 1] : lines.at(row)) ?? '';
  return result(screen, compileTextPattern(pattern).match(line) !== undefined, {
    expected: `row ${row} shows ${shownText(pattern)}`,
    actual: JSON.stringify(line),
  });
}

function cursorCheck(screen: Screen, { row, column }: NonNullable<ExpectedScreen['cursor']>): CheckResult {
  const { cursor } = screen;
  const passed = (row ?? cursor.row) === cursor.row && (column ?? cursor.column) === cursor.column;
  return result(screen, passed, {
    expected: `the cursor is in row ${row ?? 'any'}, column ${column ?? 'any'}`,
    actual: `row ${cursor.row}, column ${cursor.column}`,
  });
}

function lookCheck(screen: Screen, look: ExpectedLook): CheckResult {
  const found = screen.marks.filter(({ text }) => text.includes(look.text));
  const plain = screen.text.includes(look.text) && found.length === 0;
  const passed = found.some((mark) => fits(mark, look)) || (plain && fits({}, look));
  const seen = found.map((mark) => describeLook(mark));
  return result(screen, passed, {
    expected: `${JSON.stringify(look.text)} is ${describeLook(look)}`,
    actual: seen.length > 0 ? seen.join('; ') : plain ? 'plain' : 'it is not shown',
  });
}

type Looks = Partial<Omit<Screen['marks'][number], 'row' | 'column' | 'text'>>;

function fits(mark: Looks, { color, background, ...look }: ExpectedLook): boolean {
  return (
    (color === undefined || mark.color === hexColor(color)) &&
    (background === undefined || mark.background === hexColor(background)) &&
    LOOKS.every((name) => look[name] === undefined || look[name] === (mark[name] ?? false))
  );
}

function describeLook(look: Omit<ExpectedLook, 'text'>): string {
  const { color, background } = look;
  const parts = [
    ...LOOKS.flatMap((name) => (look[name] === undefined ? [] : [look[name] ? name : `not ${name}`])),
    ...(color === undefined ? [] : [colorName(hexColor(color))]),
    ...(background === undefined ? [] : [`on ${colorName(hexColor(background))}`]),
  ];
  return parts.length === 0 ? 'plain' : parts.join(' ');
}

export const screen = defineCheck({
  fields: { screen: field('What the terminal shows at the end of the step.', schema) },
  scopes: ['step', 'run'],
  page: 'terminal.md#the-screen',
  judge: (seen, { screen }, place) => givenAt(place)(['screen'], screen, (wanted) => checkScreen(seen, wanted)),
});
