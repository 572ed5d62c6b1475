import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../process/make-folder.js';
import { decodeText } from './reading/decode.js';

/** A file that a tool changes, as the CLI sees it. */
export interface TextFile {
  /** With line ends of one character. A byte-order mark is its first character. */
  text: string;
  encoding: 'utf8' | 'utf16le';
  /** Its lines end with two characters. */
  hasReturns: boolean;
  /** Why the tools do not change it. */
  problem?: string;
}

const MARK = '\uFEFF';
const HOW_ELSE =
  "These tools write UTF-8 (or UTF-16LE behind its byte-order mark) and never convert a file's encoding on their own, so " +
  'nothing was written. If the file is text, make the change with a shell command that reads and writes it in its own ' +
  'encoding (iconv, or PowerShell Get-Content/Set-Content -Encoding), or ask the user whether to convert it to UTF-8 ' +
  'first. To replace the whole file with new UTF-8 text anyway, delete it first, then Write it.';

/** Reads a file to change it; nothing where there is none. */
export function readTextFile(path: string): TextFile | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const { text, note } = decodeText(bytes);
  const hasMark = isWide || bytes.toString('utf8', 0, 3) === MARK;
  return {
    text: (hasMark ? MARK : '') + text.replaceAll('\r\n', '\n'),
    encoding: isWide ? 'utf16le' : 'utf8',
    hasReturns: text.includes('\r\n'),
    ...(note === undefined ? {} : { problem: `${firstSentence(note)} ${HOW_ELSE}` }),
  };
}

/** The reason, without its bracket, as the tools that write say it. */
function firstSentence(note: string): string {
  const [words = ''] = /^\[This file [^.]*\./.exec(note) ?? [];
  return words.replace('[This file', 'File');
}

/** Writes a file as it was written. Folders that are missing above it are made. */
export function writeTextFile(path: string, text: string, like?: Pick<TextFile, 'encoding' | 'hasReturns'>): void {
  makeFolder(dirname(path));
  writeFileSync(path, like?.hasReturns ? text.replaceAll('\n', '\r\n') : text, like?.encoding ?? 'utf8');
}

/** A text that takes the place of another one begins with the same mark. */
export function withMarkOf(file: TextFile | undefined, text: string): string {
  return file?.text.startsWith(MARK) && !text.startsWith(MARK) ? MARK + text : text;
}
