import { isNegated } from './negation.js';
import { areForms } from './word-forms.js';
import { wordsOf } from './words.js';

export interface FindOptions {
  /** `forms` (systematic finds systematically), `exact` words, or `substring` (plan finds explanation). */
  match?: 'forms' | 'exact' | 'substring';
  caseSensitive?: boolean;
}

/** A place where a keyword stands. */
export interface Occurrence {
  start: number;
  end: number;
  text: string;
  negated: boolean;
}

/** Every place where a keyword, which may be several words, stands in a text. */
export function findKeyword(text: string, keyword: string, options: FindOptions = {}): Occurrence[] {
  const words = wordsOf(text);
  const wanted = wordsOf(keyword);
  if (options.match === 'substring' || wanted.length === 0) {
    return findSubstring(text, keyword, options).map((place) => {
      const index = words.findIndex((word) => word.end > place.start);
      return { ...place, negated: index >= 0 && isNegated(text, words, index) };
    });
  }
  const found: Occurrence[] = [];
  for (let at = 0; at + wanted.length <= words.length; at++) {
    const here = words.slice(at, at + wanted.length);
    const matches = wanted.every((want, offset) => {
      const word = here[offset];
      if (word === undefined) return false;
      const same = options.match === 'exact' ? word.plain === want.plain : areForms(word.plain, want.plain);
      return same && (options.caseSensitive !== true || isSameCase(word.text, want.text));
    });
    const [first, last] = [here[0], here.at(-1)];
    if (!matches || first === undefined || last === undefined || !areTogether(text, first.start, last.end)) continue;
    const negated = isNegated(text, words, at);
    found.push({ start: first.start, end: last.end, text: text.slice(first.start, last.end), negated });
  }
  return found;
}

/** Forms share their beginning; there the letters must be the same. */
function isSameCase(word: string, wanted: string): boolean {
  let shared = 0;
  while (shared < Math.min(word.length, wanted.length) && word[shared]?.toLowerCase() === wanted[shared]?.toLowerCase())
    shared++;
  return word.slice(0, shared) === wanted.slice(0, shared);
}

/** A phrase does not reach over the end of a sentence. */
function areTogether(text: string, start: number, end: number): boolean {
  return !/[.!?;](?=\s)|\n\s*\n/.test(text.slice(start, end));
}

function findSubstring(text: string, keyword: string, options: FindOptions): Omit<Occurrence, 'negated'>[] {
  if (keyword === '') return [];
  const places: Omit<Occurrence, 'negated'>[] = [];
  const pattern = new RegExp(
    keyword.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    options.caseSensitive === true ? 'gu' : 'giu',
  );
  for (const match of text.matchAll(pattern)) {
    places.push({ start: match.index, end: match.index + match[0].length, text: match[0] });
  }
  return places;
}
