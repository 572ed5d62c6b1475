import { isDeepStrictEqual } from 'node:util';
import { field } from '@understudy/kit';
import {
  asTextPattern,
  compileTextPattern,
  describePattern,
  type TextPattern,
  textPatternSchema,
} from '@understudy/script';
import * as z from 'zod/mini';
import { oneOrMore, type Written } from '../define-check.js';
import { parseJsonPath, valueAt } from './json-path.js';

/** What a text must be: a string that it contains, a pattern, or several conditions that must all hold. */
export const textExpectationSchema = z.union([
  z.string(),
  textPatternSchema,
  z.strictObject({
    contains: field('Texts that it contains.', oneOrMore),
    lacks: field('Texts that it does not contain.', oneOrMore),
    equals: field('The whole text, but for space around it.', z.string()),
    regex: field('A regular expression that finds something in it.', z.string()),
    json: field(
      'Values by their path in the JSON document that the text is, or that one of its lines is: calls[0].agent.',
      z.record(z.string(), z.unknown()),
    ),
    empty: field('Whether it is empty.', z.boolean()),
  }),
]);
export type TextExpectation = Written<typeof textExpectationSchema>;

/** One condition on a text: how it reads, and whether it holds. */
export interface TextCondition {
  words: string;
  holds(text: string): boolean;
}

/** The conditions of an expectation, each for its own result. Throws `RefusedPattern`. */
export function textConditions(expected: TextExpectation): TextCondition[] {
  if (typeof expected === 'string' || 'type' in expected) return [patternCondition(asTextPattern(expected))];
  const { contains = [], lacks = [], equals, regex, json = {}, empty } = expected;
  return [
    ...[contains].flat().map((text) => patternCondition({ type: 'contains', text })),
    ...[lacks].flat().map((text): TextCondition => {
      return { words: `does not contain ${JSON.stringify(text)}`, holds: (seen) => !seen.includes(text) };
    }),
    ...(equals === undefined
      ? []
      : [{ words: `is ${JSON.stringify(equals)}`, holds: (seen: string) => seen.trim() === equals.trim() }]),
    ...(regex === undefined ? [] : [patternCondition({ type: 'regex', pattern: regex })]),
    ...Object.entries(json).map(([path, value]) => jsonCondition(path, value)),
    ...(empty === undefined
      ? []
      : [{ words: empty ? 'is empty' : 'is not empty', holds: (seen: string) => (seen.trim() === '') === empty }]),
  ];
}

function patternCondition(pattern: TextPattern): TextCondition {
  const compiled = compileTextPattern(pattern);
  return { words: describePattern(pattern), holds: (seen) => compiled.match(seen.trim()) !== undefined };
}

function jsonCondition(path: string, wanted: unknown): TextCondition {
  const steps = parseJsonPath(path);
  return {
    words: `has ${JSON.stringify(wanted)} at ${path}`,
    holds: (seen) => jsonDocuments(seen).some((document) => isDeepStrictEqual(valueAt(document, steps), wanted)),
  };
}

/** The text as one document, or each of its lines that is one. */
function jsonDocuments(text: string): unknown[] {
  return [text, ...text.split('\n')].flatMap((part) => {
    if (part.trim() === '') return [];
    try {
      return [JSON.parse(part) as unknown];
    } catch {
      return [];
    }
  });
}
