import { diffArrays } from 'diff';

const SEPARATOR = /\s*(?:→|,)\s*/;

/** Where two sequences (`a → b`, `a, b`) part: `-` is missing, `+` is there and was not expected. */
export function sequenceDifference(expected: string, actual: string): string | undefined {
  if (!SEPARATOR.test(expected) || actual === '' || expected === actual) return undefined;
  return diffArrays(expected.split(SEPARATOR), actual.split(SEPARATOR))
    .flatMap(({ value, added, removed }) => value.map((step) => `${added ? '+ ' : removed ? '- ' : '  '}${step}`))
    .join('\n');
}
