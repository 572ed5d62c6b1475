import type { Path, UnlocatedProblem } from '@understudy/kit';
import { compileTextPattern, RefusedPattern, textPatternSchema } from '@understudy/script';
import * as z from 'zod/mini';

/** What asks for nothing: it would always pass. */
export function asksNothing(name: string): UnlocatedProblem {
  return {
    code: 'EXPECTS_NOTHING',
    message: `\`${name}\` asks for nothing, so it could never fail`,
    fix: 'Say what must hold, or remove it.',
    path: [name],
  };
}

/** Whether a table asks for something: some of its fields only say how, or of whom. */
export function asksSomething(table: object, ...besides: readonly string[]): boolean {
  return Object.entries(table).some(([name, value]) => !besides.includes(name) && value !== undefined);
}

/** An empty table or an empty list, where one is given. */
export function reviewEmpty(name: string, given: object | undefined): UnlocatedProblem[] {
  return given === undefined || asksSomething(given) ? [] : [asksNothing(name)];
}

export function contradiction(message: string, ...path: Path): UnlocatedProblem {
  return { code: 'CONTRADICTION', message, fix: 'Keep one of the two.', path };
}

/** A pattern that cannot be used. What is no pattern is no mistake. */
export function reviewPattern(value: unknown, ...path: Path): UnlocatedProblem[] {
  const pattern = z.safeParse(textPatternSchema, value);
  if (!pattern.success) return [];
  try {
    compileTextPattern(pattern.data);
    return [];
  } catch (error) {
    if (!(error instanceof RefusedPattern)) throw error;
    return [{ code: 'PATTERN_REFUSED', message: error.message, path }];
  }
}
