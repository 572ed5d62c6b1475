import { UnderstudyError } from '@understudy/kit';
import type { Entry } from './entry.js';

type Filtered = Pick<Entry, 'id' | 'name' | 'file' | 'tags'>;
type Predicate = (entry: Filtered) => boolean;

/**
 * A filter of entries. A plain text is a part of the id, the name, the file or a tag. `@tag`, `and`, `or`, `not` and
 * parentheses make it an expression: `@hooks and not (@slow or windows)`.
 */
export function compileFilter(filter: string | undefined): Predicate {
  if (filter === undefined) return () => true;
  return isExpression(filter) ? new FilterParser(filter).parse() : hasText(filter);
}

function isExpression(filter: string): boolean {
  return /(?:^|[\s(])@|^\s*not\s|^\s*\(/.test(filter) && /\s|\(/.test(filter.trim());
}

function hasText(text: string): Predicate {
  const wanted = text.toLowerCase();
  return ({ id, name, file, tags }) =>
    [id, name, file ?? '', ...tags].some((own) => own.toLowerCase().includes(wanted)) || isTag(wanted, tags);
}

/** `@slow` is the tag `slow`, with or without the sign in the file. */
function isTag(wanted: string, tags: readonly string[]): boolean {
  return wanted.startsWith('@') && tags.some((tag) => tag.toLowerCase().replace(/^@/, '') === wanted.slice(1));
}

/** `or` binds weaker than `and`, and `and` weaker than `not`. */
class FilterParser {
  readonly #text: string;
  readonly #words: string[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#words = text.match(/"[^"]*"|[()]|[^\s()"]+/g) ?? [];
  }

  parse(): Predicate {
    const whole = this.#or();
    if (this.#next < this.#words.length) throw this.#wrong(`"${this.#words[this.#next]}" is one too many`);
    return whole;
  }

  #or(): Predicate {
    let left = this.#and();
    while (this.#accept('or')) {
      const [one, other] = [left, this.#and()];
      left = (entry) => one(entry) || other(entry);
    }
    return left;
  }

  #and(): Predicate {
    let left = this.#not();
    while (this.#accept('and')) {
      const [one, other] = [left, this.#not()];
      left = (entry) => one(entry) && other(entry);
    }
    return left;
  }

  #not(): Predicate {
    if (this.#accept('not')) {
      const inner = this.#not();
      return (entry) => !inner(entry);
    }
    if (this.#accept('(')) {
      const inner = this.#or();
      if (!this.#accept(')')) throw this.#wrong('a parenthesis is not closed');
      return inner;
    }
    const word = this.#words[this.#next++];
    if (word === undefined) throw this.#wrong('it ends too early');
    if (/^(?:and|or|\))$/i.test(word)) throw this.#wrong(`"${word}" stands where a tag or text must be`);
    const text = word.replace(/^"|"$/g, '');
    if (!text.startsWith('@')) return hasText(text);
    // In an expression a tag is a whole tag; ids of cases have their agent behind the sign.
    return (entry) => isTag(text.toLowerCase(), entry.tags) || entry.id.toLowerCase().endsWith(text.toLowerCase());
  }

  #accept(word: string): boolean {
    if (this.#words[this.#next]?.toLowerCase() !== word) return false;
    this.#next++;
    return true;
  }

  #wrong(why: string): UnderstudyError {
    return new UnderstudyError('BAD_FLAG', `--grep ${JSON.stringify(this.#text)} cannot be read: ${why}`, {
      fix: 'Write tags and texts with and, or, not and parentheses: "@hooks and not @slow".',
    });
  }
}
