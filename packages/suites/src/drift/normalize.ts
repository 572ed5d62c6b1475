import type { Observed } from './observe.js';

/** What differs between two runs of one program, or only because it is another version, by something that does not. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/\b(?:Today's date is |Today is )[^.\\]+/g, 'Today is DATE'],
  [/(?<![\w-])20\d\d-\d\d-\d\d\b/g, 'DATE'],
  [/\bcch=\w+/g, 'cch=HASH'],
  [/\/tmp\/[\w./-]+\.sock\b/g, '/TEMP/socket'],
  [/(duration|wall|API)(?: \(\w+\))?:\s+[\d.]+m?s/g, '$1: TIME'],
  [/\b\d+(?:\.\d+)?ms\b/g, 'TIME'],
];

/** The same, with nothing in it that is of this run or names the version. */
export function normalize(observed: Observed, version: string): Observed {
  const named = new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?:\\.[0-9a-f]{3})?(?![\\d.])`, 'g');
  let text = JSON.stringify(observed).replace(named, 'VERSION');
  for (const [pattern, word] of VOLATILE) text = text.replace(pattern, word);
  return JSON.parse(text) as Observed;
}
