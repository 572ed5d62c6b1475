/** A word of a text and where it stands. */
export interface Word {
  text: string;
  /** Lower case, straight apostrophes, no possessive ending. */
  plain: string;
  start: number;
  end: number;
}

/** Letters and digits, with apostrophes inside: "don't" is one word, "code-exploration" and "plan_step" are two. */
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;

/** Cuts a text into words. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(([word], index, all) => {
    const start = all[index]?.index ?? 0;
    return { text: word, plain: plainWord(word), start, end: start + word.length };
  });
}

function plainWord(word: string): string {
  return word.toLowerCase().replaceAll('’', "'").replace(/'s$/, '');
}
