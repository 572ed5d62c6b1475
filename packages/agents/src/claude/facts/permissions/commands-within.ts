/**
 * The words of every command that a shell line would run, as far as it can be read: those in `$(…)`, backquotes,
 * `<(…)`, parentheses and braces as well. Quotes are taken off, files of redirections, variables that are set and
 * what only the shell can fill in are left out. Rules that deny and ask are held against them.
 */
export function commandsWithin(line: string): FoundCommands {
  const reader = new LineReader(line);
  reader.readUntil(undefined);
  const { commands } = reader;
  const isOpaque = reader.isOpaque || (reader.hasSeveral && commands.some(({ hasVariable }) => hasVariable));
  return { commands, isOpaque };
}

export interface FoundCommands {
  commands: FoundCommand[];
  /** More than a whole argument cannot be known: a part of one, a program, a file, or where a command ends. */
  isOpaque: boolean;
}

export interface FoundCommand {
  words: readonly string[];
  /** It stands in another command, or in parentheses. */
  isNested: boolean;
  /** One of its arguments is what another command prints. */
  hasNested: boolean;
  /** One of its arguments is a variable. */
  hasVariable: boolean;
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
  isOpaque = false;
  hasSeveral = false;
  /** Variables whose value is written in the line, and the home. */
  readonly #known = new Set(['HOME']);
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
    let hasNested = false;
    let hasVariable = false;
    const finish = (): void => {
      const isCommand = words.length > 0 && !/^(?:fi|done|esac|for|case)$/.test(words[0] ?? '');
      if (isCommand) this.commands.push({ words, isNested: this.#depth > 1, hasNested, hasVariable });
      words = [];
      hasNested = false;
      hasVariable = false;
    };
    for (;;) {
      const character = this.line[this.#at];
      if (character === undefined || character === end) break;
      if (character === '\n') this.#skipHeredocs();
      if (';&|\n'.includes(character) && !this.#isRedirection()) {
        this.#at++;
        finish();
        this.hasSeveral ||= this.#depth === 1 && this.line.slice(this.#at).trim() !== '';
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
        this.isOpaque = true;
        this.#at++;
      } else if (this.#isRedirection()) {
        this.#readRedirection(end);
      } else {
        const { text, isKnown, ...word } = this.#readWord(end);
        const isFirst = words.length === 0;
        const [, name] = (isFirst && /^(\w+)\+?=/.exec(text)) || [];
        if (name !== undefined) {
          if (word.hasVariable) this.isOpaque = true;
          else if (isKnown) this.#known.add(name);
        } else if (isKnown) {
          if (!isFirst || !KEYWORDS.has(text)) words.push(text);
        } else {
          hasNested ||= word.hasNested;
          hasVariable ||= word.hasVariable;
          this.isOpaque ||= isFirst || word.isPart;
        }
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
    this.isOpaque ||= file.hasVariable;
    if (/<<-?$/.test(sign) && file.isKnown) this.#heredocs.push(file.text);
  }

  #skipHeredocs(): void {
    for (const end of this.#heredocs.splice(0)) {
      const close = new RegExp(`\\n\\t*${end.replace(/\W/g, '\\$&')}(?=\\n|$)`).exec(this.line.slice(this.#at));
      this.#at = close === null ? this.line.length : this.#at + close.index + close[0].length;
    }
  }

  /** One word without its quotes. */
  #readWord(end: ')' | '`' | undefined): Word {
    const start = this.#at;
    const word: Word = { text: '', isKnown: true, hasNested: false, hasVariable: false, isPart: false };
    let quote: '"' | undefined;
    for (;;) {
      const character = this.line[this.#at];
      if (character === undefined) break;
      if (quote === undefined && (character === end || ENDS_WORD.has(character))) break;
      const rest = this.line.slice(this.#at, this.#at + 3);
      if (character === '\\') {
        word.text += rest.startsWith('\\\n') ? '' : (this.line[this.#at + 1] ?? '');
        this.#at += 2;
      } else if (character === "'" && quote === undefined) {
        const close = endOr(this.line, "'", this.#at + 1);
        word.text += this.line.slice(this.#at + 1, close);
        this.isOpaque ||= close === this.line.length;
        this.#at = close + 1;
      } else if (character === '"') {
        quote = quote === undefined ? '"' : undefined;
        this.#at++;
      } else if (rest === '$((') {
        this.#at = endOr(this.line, '))', this.#at) + 2;
        word.text += '0';
      } else if (character === '`' || rest.startsWith('$(')) {
        this.#at += character === '`' ? 1 : 2;
        this.readUntil(character === '`' ? '`' : ')');
        word.hasNested = true;
        word.isKnown = false;
      } else {
        this.#noteVariable(word, start, quote !== undefined);
        word.text += character;
        this.#at++;
      }
    }
    this.isOpaque ||= quote !== undefined;
    if (/^[<>]\(/.test(this.line.slice(this.#at, this.#at + 2))) {
      this.#at += 2;
      this.readUntil(')');
      return { ...word, isKnown: false, isPart: true };
    }
    return word;
  }

  #noteVariable(word: Word, start: number, isQuoted: boolean): void {
    const [written, name = ''] = VARIABLE.exec(this.line.slice(this.#at, this.#at + LONGEST_NAME)) ?? [];
    if (written === undefined || this.#known.has(name)) return;
    if (!isQuoted) word.isKnown = false;
    word.hasVariable = true;
    const after = this.line[this.#at + written.length];
    const isWhole = !isQuoted && start === this.#at && (after === undefined || ENDS_WORD.has(after));
    if (isWhole && !written.startsWith('${')) return;
    word.isPart = true;
    // In quotes the text is a word still, for rules; but nobody knows which.
    this.isOpaque = true;
  }
}

interface Word {
  text: string;
  isKnown: boolean;
  hasNested: boolean;
  hasVariable: boolean;
  /** Only a part of it cannot be known. */
  isPart: boolean;
}

const VARIABLE = /^\$(?:\{[^}]*\}|(\w+|[?@#*!$-]))/;
const LONGEST_NAME = 200;

function endOr(line: string, end: string, from: number): number {
  const at = line.indexOf(end, from);
  return at === -1 ? line.length : at;
}
