import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { parse as parseToml, TomlError } from 'smol-toml';
import type * as Yaml from 'yaml';
import { InvalidDocumentError, UnderstudyError } from '../errors.js';
import { codeFrame, linesOf } from './code-frame.js';
import { defined } from './defined.js';
import { lazyRequire } from './lazy-require.js';
import type { Path } from './path.js';

export type Format = 'toml' | 'json' | 'yaml';

/** The text of a document, for messages about it. */
export interface SourceText {
  /** Absent for a value from a program. */
  text?: string;
  format?: Format;
  file?: string;
  /** Where a value stands that is that of another document. */
  origin?: (path: Path) => { source: SourceText; path: Path } | undefined;
}

/** A document: its text and its parsed value. */
export interface Source extends SourceText {
  value: unknown;
}

const MAX_BYTES = 32 * 1024 * 1024;

const FORMATS: Record<string, Format> = { '.json': 'json', '.yml': 'yaml', '.yaml': 'yaml' };

/** Reads a TOML, JSON or YAML file, chosen by its extension. */
export function readSource(file: string): Source {
  return parseSource(readText(file), FORMATS[extname(file).toLowerCase()] ?? 'toml', file);
}

/** Reads a file that a document is, or names. */
export function readText(file: string): string {
  let text: string;
  try {
    refusePipe(file);
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
  if (text.length > MAX_BYTES) {
    throw new UnderstudyError('DOCUMENT_TOO_LARGE', `${file} is larger than 32 MB`, {
      fix: 'Split it, or move large contents into files of their own with `$file`.',
      location: { file },
    });
  }
  return text;
}

/** Reading a pipe that nobody writes to would wait for ever. One of the shell, as in `check <(make-it)`, has a writer. */
function refusePipe(file: string): void {
  if (!statSync(file).isFIFO() || /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/.test(file)) return;
  throw new Error('it is a named pipe');
}

/** Parses a document. A syntax error becomes a problem with its location. */
export function parseSource(text: string, format: Format, file?: string): Source {
  const body = text.replace(/^\uFEFF/, '');
  const base = { text: body, format, ...defined({ file }) };
  try {
    return { ...base, value: parseAs(format, body) };
  } catch (cause) {
    const { message, line, column } = syntaxError(cause, body);
    throw new InvalidDocumentError('DOCUMENT_SYNTAX', file ?? 'the document', [
      {
        code: 'DOCUMENT_SYNTAX',
        message: `this is not valid ${format.toUpperCase()}: ${message}`,
        fix: 'Correct the syntax at this line.',
        path: '',
        location: { ...defined({ file }), line, column },
        frame: codeFrame(linesOf(body), line, column),
      },
    ]);
  }
}

function parseAs(format: Format, body: string): unknown {
  if (format === 'json') return JSON.parse(body);
  if (format === 'yaml') return parseYaml(body);
  return withPlainDates(parseToml(body));
}

function parseYaml(body: string): unknown {
  const { LineCounter, parse, parseDocument, visit } = lazyRequire('yaml') as typeof Yaml;
  const lineCounter = new LineCounter();
  // A value that contains itself has no end, and no other format can write one.
  if (/&\S/.test(body) && /\*\S/.test(body)) {
    const document = parseDocument(body, { lineCounter });
    visit(document, {
      Alias: (_key, alias, ancestors) => {
        if (!ancestors.some((ancestor) => ancestor === alias.resolve(document))) return;
        const message = `the alias *${alias.source} stands inside of what it names`;
        throw Object.assign(new Error(message), { linePos: [lineCounter.linePos(alias.range?.[0] ?? 0)] });
      },
    });
  }
  return parse(body);
}

function unreadable(file: string, cause: unknown): UnderstudyError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') {
    return new UnderstudyError('FILE_NOT_FOUND', `there is no file ${file}`, {
      fix: 'Check the path. It is relative to the current folder.',
      location: { file },
      cause,
    });
  }
  const reason = code === 'EISDIR' ? 'it is a folder' : (cause as Error).message;
  return new UnderstudyError('FILE_UNREADABLE', `${file} cannot be read: ${reason}`, {
    fix: 'Check its permissions, and that it is a file.',
    location: { file },
    cause,
  });
}

function syntaxError(cause: unknown, text: string): { message: string; line: number; column: number } {
  if (cause instanceof TomlError) {
    const message = cause.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? cause.message;
    return { message, line: cause.line, column: cause.column };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const [start] = (cause as Partial<Yaml.YAMLParseError>).linePos ?? [];
  if (start !== undefined) {
    return { message: message.split(/ at line \d+/)[0] ?? message, line: start.line, column: start.col };
  }
  const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
  const before = text.slice(0, offset).split('\n');
  return {
    message: message.replace(/ in JSON at position .*| \(line \d+ column \d+\)/, ''),
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
}

/** TOML has dates and JSON does not: a date becomes a text, as in JSON. */
function withPlainDates(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(withPlainDates);
  if (typeof value === 'object' && value !== null) {
    const plain: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      Object.defineProperty(plain, key, {
        value: withPlainDates(entry),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return plain;
  }
  return value;
}
