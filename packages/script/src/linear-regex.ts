import { lazyRequire } from '@understudy/kit';
import type * as Re2 from 're2js';

/**
 * Regular expressions that always run in linear time, because scenarios and prompts are untrusted. So look-around
 * and back-references are not available.
 */
export interface LinearRegex {
  test(text: string): boolean;
  /** Where it matches: the first character of each match, and the one behind it. */
  ranges(text: string): [number, number][];
  /** The groups of the first match, the whole match first. */
  exec(text: string): Captures | undefined;
  readonly groupCount: number;
  readonly groupNames: readonly string[];
}

export interface Captures {
  groups: readonly string[];
  named: Readonly<Record<string, string>>;
}

export interface RegexOptions {
  ignoreCase?: boolean;
  /** `.` matches a line's end too. */
  dotAll?: boolean;
  /** `^` and `$` match at the ends of lines, too. */
  multiLine?: boolean;
}

/** Compiles a pattern, or returns the reason why it cannot. */
export function compileRegex(pattern: string, options: RegexOptions = {}): LinearRegex | { refused: string } {
  const { RE2JS } = lazyRequire('re2js') as typeof Re2;
  let compiled: Re2.RE2JS;
  try {
    compiled = RE2JS.compile(
      pattern,
      (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
        (options.dotAll ? RE2JS.DOTALL : 0) |
        (options.multiLine ? RE2JS.MULTILINE : 0),
    );
  } catch (error) {
    return { refused: explainRefusal(pattern, error) };
  }
  const names = compiled.namedGroups();
  return {
    groupCount: compiled.groupCount(),
    groupNames: Object.keys(names),
    test: (text) => compiled.test(text),
    ranges(text) {
      const matcher = compiled.matcher(text);
      const found: [number, number][] = [];
      while (matcher.find()) found.push([matcher.start(), matcher.end()]);
      return found;
    },
    exec(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      const groups = Array.from({ length: compiled.groupCount() + 1 }, (_, i) => matcher.group(i) ?? '');
      const named = Object.fromEntries(Object.entries(names).map(([name, index]) => [name, groups[index] ?? '']));
      return { groups, named };
    },
  };
}

const tests = new Map<string, Pick<LinearRegex, 'test'>>();

/** A pattern that is only asked whether it matches, compiled once; one that cannot be compiled matches nothing. */
export function regexTest(pattern: string, options: RegexOptions = {}): Pick<LinearRegex, 'test'> {
  const key = JSON.stringify([pattern, options]);
  const known = tests.get(key);
  if (known !== undefined) return known;
  const compiled = compileRegex(pattern, options);
  const test = 'refused' in compiled ? { test: () => false } : compiled;
  tests.set(key, test);
  return test;
}

/** Many patterns tested in one pass over the text. */
export interface RegexSet {
  /** The indexes of the patterns that match. */
  match(text: string): number[];
}

type RegexSource = { pattern: string; options: RegexOptions };

/** A set has a limit of its own for all patterns together, so many patterns become several sets. */
const MOST_IN_SET = 1_000;

export function compileRegexSet(patterns: readonly RegexSource[]): RegexSet {
  const { RE2Set } = lazyRequire('re2js') as typeof Re2;
  const sets: RegexSet[] = [];
  for (let first = 0; first < patterns.length; first += MOST_IN_SET) {
    const set = new RE2Set();
    for (const { pattern, options } of patterns.slice(first, first + MOST_IN_SET)) {
      const flags = `${options.ignoreCase ? 'i' : ''}${options.dotAll ? 's' : ''}`;
      set.add(flags === '' ? pattern : `(?${flags}:${pattern})`);
    }
    set.compile();
    sets.push({ match: (text) => set.match(text).map((index) => first + index) });
  }
  return { match: (text) => sets.flatMap((set) => set.match(text)) };
}

function explainRefusal(pattern: string, error: unknown): string {
  if (/\(\?<?[=!]/.test(pattern))
    return 'look-ahead and look-behind are not supported, so that every match runs in linear time';
  if (/\\[1-9]|\\k</.test(pattern)) return 'back-references are not supported, so that every match runs in linear time';
  return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
}
