/**
 * The words of every command that a shell line would run, as far as it can be read: those in `$(…)`, backquotes,
 * `<(…)`, parentheses and braces as well. Quotes are taken off, files of redirections, variables that are set and
 * what only the shell can fill in are left out. Rules that deny and ask are held against them.
 */
export function commandsWithin(line: string): FoundCommand[] {
  const reader = new LineReader(line);
  reader.readUntil(undefined);
  return reader.commands;
}

export interface FoundCommand {
  words: readonly string[];
  /** It stands in another command, or in parentheses. */
  isNested: boolean;
}

const KEYWORDS = new Set(['!', 'do', 'elif', 'else', 'if', 'then', 'until', 'while', '{', '}']);
const ENDS_WORD = new Set(' \t\n;&|()<>');
/** Deeper than this nothing is looked for. */
const DEEPEST = 50;
/** No sign of a redirection is longer. */
const SIGN = 12;
const REDIRECTION = /^(?:\d*|&)(?:<<<|<<-?|<>|<&|<|>>|>&|>\||>)/;

class LineReader {
  readonly commands: FoundCommand[] = [];
  #at = 0;
  #depth = 0;
  /** The ends of the heredocs that follow this line. */
  #heredocs: string[] = [];

  constructor(private readonly line: string) {}

  /** Reads commands up to a closing character, and past it. */
  readUntil(end: ')' | '`' | undefined): void {
    if (this.#depth === DEEPEST) {
      this.#at = this.line.length;
      return;
    }
    this.#depth++;
    let words: string[] = [];
    const finish = (): void => {
      if (words.length > 0 && !/^(?:fi|done|esac|for|case)$/.test(words[0] ?? ''))
        this.commands.push({ words, isNested: this.#depth > 1 });
      words = [];
    };
    for (;;) {
      const character = this.line[this.#at];
      if (character === undefined || character === end) break;
      if (character === '\n') this.#skipHeredocs();
      if (';&|\n'.includes(character) && !this.#isRedirection()) {
        this.#at++;
        finish();
      } else if (character === ' ' || character === '\t' || this.line.startsWith('\\\n', this.#at)) {
        this.#at += character === '\\' ? 2 : 1;
      } else if (character === '#') {
        this.#at = endOr(this.line, '\n', this.#at);
      } else if (character === '(') {
        this.#at++;
        this.readUntil(')');
        // What stands before `()` is the name of a function.
        words = [];
      } else if (character === ')') {
        this.#at++;
      } else if (this.#isRedirection()) {
        this.#readRedirection(end);
      } else {
        const word = this.#readWord(end);
        const isFirst = words.length === 0;
        if (word !== undefined && !(isFirst && (KEYWORDS.has(word) || /^\w+\+?=/.test(word)))) words.push(word);
      }
    }
    finish();
    this.#at++;
    this.#depth--;
  }

  #isRedirection(): boolean {
    const rest = this.line.slice(this.#at, this.#at + SIGN);
    return REDIRECTION.test(rest) && !/^[<>]\(/.test(rest);
  }

  #readRedirection(end: ')' | '`' | undefined): void {
    const [sign = ''] = REDIRECTION.exec(this.line.slice(this.#at, this.#at + SIGN)) ?? [];
    this.#at += sign.length;
    while (/[ \t]/.test(this.line[this.#at] ?? '')) this.#at++;
    const file = this.#readWord(end);
    if (/<<-?$/.test(sign) && file !== undefined) this.#heredocs.push(file);
  }

  #skipHeredocs(): void {
    for (const end of this.#heredocs.splice(0)) {
      const close = new RegExp(`\\n\\t*${end.replace(/\W/g, '\\$&')}(?=\\n|$)`).exec(this.line.slice(this.#at));
      this.#at = close === null ? this.line.length : this.#at + close.index + close[0].length;
    }
  }

  /** One word without its quotes; nothing when only the shell knows what it is. */
  #readWord(end: ')' | '`' | undefined): string | undefined {
    let word = '';
    let isKnown = true;
    let quote: '"' | undefined;
    for (;;) {
      const character = this.line[this.#at];
      if (character === undefined) break;
      if (quote === undefined && (character === end || ENDS_WORD.has(character))) break;
      const rest = this.line.slice(this.#at, this.#at + 2);
      if (character === '\\') {
        word += rest === '\\\n' ? '' : (this.line[this.#at + 1] ?? '');
        this.#at += 2;
      } else if (character === "'" && quote === undefined) {
        const close = endOr(this.line, "'", this.#at + 1);
        word += this.line.slice(this.#at + 1, close);
        this.#at = close + 1;
      } else if (character === '"') {
        quote = quote === undefined ? '"' : undefined;
        this.#at++;
      } else if (character === '`' || rest === '$(') {
        this.#at += character === '`' ? 1 : 2;
        this.readUntil(character === '`' ? '`' : ')');
        isKnown = false;
      } else {
        if (quote === undefined && /^\$[\w{?@#*!$-]/.test(rest)) isKnown = false;
        word += character;
        this.#at++;
      }
    }
    if (/^[<>]\(/.test(this.line.slice(this.#at, this.#at + 2))) {
      this.#at += 2;
      this.readUntil(')');
      return undefined;
    }
    return isKnown ? word : undefined;
  }
}

function endOr(line: string, end: string, from: number): number {
  const at = line.indexOf(end, from);
  return at === -1 ? line.length : at;
}
