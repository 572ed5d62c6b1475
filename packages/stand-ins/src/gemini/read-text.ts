import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { NotSupported } from '../shared/refusal.js';
import { REFUSED } from './refused.js';

/** What is read of a file. */
export interface FileText {
  text: string;
  /** What the user is shown. */
  shown: string;
  /** Which lines the text has, if it is not the whole file. */
  cut?: { first: number; last: number; total: number };
}

/** Lines of a file, counted from 1. */
interface LineRange {
  first: number | undefined;
  last: number | undefined;
}

const MOST_BYTES = 20 * 1024 * 1024;
const MOST_LINES = 2000;
const MOST_CHARACTERS = 2000;
/** How much of a file is read to see whether it is text. */
const LOOKED_AT = 512;

/** What is not read as text whatever is in it: pictures, sound, films, papers, archives, programs. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|bmp|pdf|svg|avif|hei[cf]|ico|jp2|jxl|tiff?|psd|apng|aac|aiff?|flac|m4a|midi?|mp3|og[agv]|opus|wave?|weba|3gp|avi|m4v|mkv|mov|mp4|mpe?g|qt|webm|wmv|bin|exe|dll|so|dylib|class|[jw]ar|zip|tar|gz|bz2|rar|7z|pak|rpa|docx?|xlsx?|pptx?|od[tsp]|py[co]|dat|obj|[oa]|lib|wasm)$/i;

/** Reads a file for the model. */
export function readText(path: string, root: string, range: LineRange): FileText {
  const name = relative(root, path);
  const bytes = readFileSync(path);
  if (NO_TEXT.test(name) || bytes.length > MOST_BYTES || hasStrangeBytes(bytes))
    throw new NotSupported(`${REFUSED.binary} ${name}`);
  return linesOf(bytes.toString('utf8').replace(/^\uFEFF/, ''), name, range);
}

function hasStrangeBytes(bytes: Buffer): boolean {
  // The end may cut a character.
  const start = new TextDecoder('utf-8').decode(bytes.subarray(0, LOOKED_AT), { stream: true });
  return start.startsWith('%PDF-') || [...start].some((character) => isStrange(character.charCodeAt(0)));
}

/** Control characters but for those of usual texts, and what is no UTF-8. */
function isStrange(code: number): boolean {
  return code < 7 || (code > 14 && code < 32) || code === 0xfffd;
}

function linesOf(content: string, name: string, range: LineRange): FileText {
  const lines = content.split(/\r?\n/);
  const total = lines.length;
  const start = Math.min(Math.max(0, (range.first || 1) - 1), total);
  const last = Math.min(range.last || start + MOST_LINES, total);
  const wanted = lines.slice(start, last);
  const short = wanted.map((line) =>
    line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}... [truncated]` : line,
  );
  const isShortened = short.some((line, index) => line !== wanted[index]);
  const text = short.join('\n');
  if (start === 0 && last === total && !isShortened) return { text, shown: '' };
  const note = isShortened ? ' (some lines were shortened)' : '';
  const which = start > 0 || last < total ? `lines ${start + 1}-${last} of ${total}` : `all ${total} lines`;
  return { text, shown: `Read ${which} from ${name}${note}`, cut: { first: start + 1, last, total } };
}
