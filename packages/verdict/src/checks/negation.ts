import type { Word } from './words.js';

const NEGATORS = new Set(
  "not no never without neither nor cannot can't won't don't doesn't didn't isn't aren't wasn't weren't shouldn't wouldn't couldn't haven't hasn't hadn't mustn't needn't ain't hardly none nobody nothing nowhere 0 zero".split(
    ' ',
  ),
);
/** "failed to plan", "refuse to plan": no plan. */
const WITH_TO = new Set(['fail', 'fails', 'failed', 'failing', 'refuse', 'refuses', 'refused', 'refusing', 'unable']);
/** "Investigation: not done." */
const DENIED_BEHIND =
  /^\s*:?\s+(?:(?:is|was|are|were|has been|have been)\s+)?(?:not|never)\s+(?:yet\s+)?(?:done|made|started|finished)\b/i;
/** Phrases that begin with a negator and deny nothing: "not only systematic", "no doubt", "do not forget to plan". */
const HARMLESS_AFTER = new Set([
  'only',
  'just',
  'merely',
  'doubt',
  'matter',
  'forget',
  'hesitate',
  'hurt',
  'harm',
  'miss',
  'but',
]);
/** "no" denies what stands beside it; with these it denies what follows: "no need to plan". */
const NO_REACHES_ON = new Set(['need', 'reason', 'point', 'use', 'way']);
/** "rather than X", "instead of X". */
const PAIRS: Readonly<Record<string, string>> = { rather: 'than', instead: 'of' };
/** A new thought begins here, so what was denied before is forgotten. */
const TURNING_WORDS = new Set(['but', 'however', 'instead', 'rather', 'although', 'because', 'so', 'then', 'yet']);
/** A dot inside "2.5" or "app.js" is no end of a sentence. */
const BOUNDARY = /[,;:!?()\n\u2014]|\.(?=\s|$)| - /;
/** How many words a negation reaches, and how many a plain "no". */
const REACH = 5;
/** These deny what stands right behind them. */
const NEAR_ONLY = new Set(['no', '0', 'zero', 'nothing', 'nobody', 'nowhere']);
/** How far behind a word is looked. */
const LOOK_BEHIND = 40;
const REACH_OF_NO = 2;

/** Is the word at `index` denied in its own clause? "not systematic" is, "not only systematic" is not. */
export function isNegated(text: string, words: readonly Word[], index: number): boolean {
  if (hasNegativePrefix(text, words, index)) return true;
  const own = words[index];
  if (own !== undefined && DENIED_BEHIND.test(text.slice(own.end, own.end + LOOK_BEHIND))) return true;
  for (let at = index - 1; at >= 0 && index - at <= REACH; at--) {
    const word = words[at];
    const next = words[at + 1];
    if (word === undefined || next === undefined || BOUNDARY.test(text.slice(word.end, next.start))) return false;
    if (PAIRS[word.plain] === next.plain) return true;
    if (WITH_TO.has(word.plain) && next.plain === 'to') return true;
    // "It could not be more systematic."
    if (next.plain === 'be' && words[at + 2]?.plain === 'more') return false;
    if (NEGATORS.has(word.plain)) return reaches(word.plain, next.plain, index - at) && !isUndone(text, words, at);
    // "not yet planned": here "yet" belongs to the negation.
    if (TURNING_WORDS.has(word.plain) && !(word.plain === 'yet' && NEGATORS.has(words[at - 1]?.plain ?? '')))
      return false;
  }
  return false;
}

function reaches(negator: string, next: string, distance: number): boolean {
  if (HARMLESS_AFTER.has(next)) return false;
  return !NEAR_ONLY.has(negator) || distance <= REACH_OF_NO || NO_REACHES_ON.has(next);
}

/** "not without a plan": two negations right beside each other say yes, and so does "why not". */
function isUndone(text: string, words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (before === undefined || word === undefined || BOUNDARY.test(text.slice(before.end, word.start))) return false;
  return NEGATORS.has(before.plain) || before.plain === 'why';
}

/** "un-systematic", "non-systematic". */
function hasNegativePrefix(text: string, words: readonly Word[], index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  if (before === undefined || word === undefined) return false;
  return (before.plain === 'un' || before.plain === 'non') && text.slice(before.end, word.start) === '-';
}
