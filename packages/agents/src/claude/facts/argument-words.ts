/** A word that is only a variable: `$HOME`, `$5`, `${NAME}`. */
const BARE_VARIABLE = /^\$(?:\w+|\{[^}]*\})$/;
const ASSIGNMENT = /^\w+=/;

/**
 * The single arguments of a command, as the CLI reads them: like the words of a line of the shell, without running
 * anything. What follows the first command of that line (`;`, `|`, `&`, `>`, a comment, a new line) counts for nothing, nor
 * does a variable that is a word of its own behind the first. A quote that is not closed is a letter like any other.
 */
export function argumentWords(text: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const letter = text[at] ?? '';
    if (/[ \t(]/.test(letter)) {
      at++;
      continue;
    }
    const isNested = words.length > 0 && /^(?:`|\$\()/.test(text.slice(at));
    if (/[\n;|&<>)#]/.test(letter) || isNested) break;
    const { raw, word } = readWord(text, at);
    at += raw.length;
    // The number of a stream, as in `2>&1`.
    if (/^\d+$/.test(raw) && /[<>]/.test(text[at] ?? '')) break;
    const counts = words.length === 0 ? !ASSIGNMENT.test(raw) : !BARE_VARIABLE.test(raw);
    if (counts) words.push(word);
  }
  return words;
}

function readWord(text: string, from: number): { raw: string; word: string } {
  let word = '';
  let at = from;
  while (at < text.length) {
    const letter = text[at] ?? '';
    if (letter === '$' && text[at + 1] === '(') {
      const end = text.indexOf(')', at);
      const whole = end === -1 ? text.slice(at) : text.slice(at, end + 1);
      word += whole;
      at += whole.length;
    } else if (/[ \t\n;|&<>()]/.test(letter)) break;
    else if (letter === '\\' && at + 1 < text.length) {
      word += text[at + 1];
      at += 2;
    } else if (letter === '"' || letter === "'") {
      const end = closing(text, at);
      if (end === -1) return { raw: text.slice(from), word: word + text.slice(at) };
      const inside = text.slice(at + 1, end);
      word += letter === '"' ? inside.replace(/\\(["\\$`])/g, '$1') : inside;
      at = end + 1;
    } else {
      word += letter;
      at++;
    }
  }
  return { raw: text.slice(from, at), word };
}

function closing(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    if (text[quote] === '"' && text[at] === '\\') at++;
    else if (text[at] === text[quote]) return at;
  }
  return -1;
}
