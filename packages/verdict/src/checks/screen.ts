import { colorName, type EventOf, hexColor } from '@understudy/agents';
import { compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { pick } from '@understudy/stage';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

type Screen = EventOf<'screen'>;

const LOOKS = ['bold', 'italic', 'underline', 'dim', 'inverse'] as const;

/** How a text on the screen must look. */
export interface ExpectedLook extends Partial<Record<(typeof LOOKS)[number], boolean | undefined>> {
  text: string;
  /** A name such as `bright red`, or `#rrggbb`. */
  color?: string | undefined;
  background?: string | undefined;
}

export interface ExpectedScreen {
  contains?: readonly TextPattern[] | undefined;
  not_contains?: readonly TextPattern[] | undefined;
  /** Text of single rows; they count from 1, and from the last one with -1. */
  rows?: readonly { row: number; text: TextPattern }[] | undefined;
  cursor?: { row?: number | undefined; column?: number | undefined } | undefined;
  looks?: readonly ExpectedLook[] | undefined;
}

/** What the terminal showed at the end of a step: one result for each thing that is asked. */
export function checkScreen(seen: Observed, expected: ExpectedScreen): CheckResult[] {
  const screen = pick(seen.turn, 'screen').at(-1);
  if (screen === undefined) return [noScreen()];
  const { contains = [], not_contains = [], rows = [], cursor, looks = [] } = expected;
  return [
    ...contains.map((pattern) => textCheck(screen, pattern, true)),
    ...not_contains.map((pattern) => textCheck(screen, pattern, false)),
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

function textCheck(screen: Screen, pattern: TextPattern, wanted: boolean): CheckResult {
  const shown = compileTextPattern(pattern).match(screen.text) !== undefined;
  return result(screen, shown === wanted, {
    expected: `the screen ${wanted ? 'shows' : 'does not show'} ${shownText(pattern)}`,
    actual: shown ? 'it is shown' : 'it is not shown',
  });
}

function shownText(pattern: TextPattern): string {
  return pattern.type === 'contains' ? JSON.stringify(pattern.text) : describePattern(pattern);
}

function rowCheck(screen: Screen, row: number, pattern: TextPattern): CheckResult {
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
