import { readFileSync, statSync } from 'node:fs';
import { basename, extname, relative } from 'node:path';
import { NotSupported } from '../options.js';

/** A part of a message, as the model gets it. */
export type Part = { text: string } | { inlineData: { data: string; mimeType: string } };

/** What is read of a file: a text, or a part that is none. */
export type FileContent = FileText | { part: Part };

export interface FileText {
  text: string;
  /** What the user is shown. */
  shown: string;
  /** Which lines the text has, if it is not the whole file. */
  cut?: { first: number; last: number; total: number };
}

/** Lines of a file, counted from 1. */
export interface LineRange {
  first?: number | undefined;
  last?: number | undefined;
}

const MOST_BYTES = 20 * 1024 * 1024;
const MOST_BYTES_OF_SVG = 1024 * 1024;
const MOST_LINES = 2000;
const MOST_CHARACTERS = 2000;
/** How much of a file tells whether it is text. */
const LOOKED_AT = 512;

const INLINE: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.pdf': 'application/pdf',
};

/** Other pictures, sound and films: what becomes of them depends on their content. */
const OTHER_MEDIA = new Set(
  (
    '.avif .heic .heif .ico .jp2 .jxl .tif .tiff .psd .apng .aac .aif .aiff .flac .m4a .mid .midi .mp3 .oga .ogg .opus ' +
    '.wav .weba .3gp .avi .m4v .mkv .mov .mp4 .mpeg .mpg .ogv .qt .webm .wmv'
  ).split(' '),
);

const BINARY = new Set(
  (
    '.bin .exe .dll .so .dylib .class .jar .war .zip .tar .gz .bz2 .rar .7z .pak .rpa .doc .docx .xls .xlsx .ppt .pptx ' +
    '.odt .ods .odp .pyc .pyo .dat .obj .o .a .lib .wasm'
  ).split(' '),
);

/** Whether a file is a picture or a document that is sent as it is, and so must be asked for by name. */
export function isInline(path: string): boolean {
  return INLINE[extname(path).toLowerCase()] !== undefined;
}

/** What is said of a file that is too large. */
export function sizeLimit(path: string, size: number): { told: string; shown: string } | undefined {
  if (size <= MOST_BYTES) return undefined;
  const shown = 'File size exceeds the 20MB limit.';
  return { told: `File size exceeds the 20MB limit: ${path} (${(size / 1024 / 1024).toFixed(2)}MB)`, shown };
}

/** Reads a file for the model. */
export function readForModel(path: string, root: string, range: LineRange = {}): FileContent {
  const extension = extname(path).toLowerCase();
  const mimeType = INLINE[extension];
  if (mimeType !== undefined) return { part: { inlineData: { data: readFileSync(path, 'base64'), mimeType } } };
  if (OTHER_MEDIA.has(extension)) throw new NotSupported(`reading ${basename(path)} (sound, film or picture)`);
  const name = relative(root, path);
  if (extension === '.svg' && statSync(path).size > MOST_BYTES_OF_SVG)
    return {
      text: `Cannot display content of SVG file larger than 1MB: ${name}`,
      shown: `Skipped large SVG file (>1MB): ${name}`,
    };
  const content = BINARY.has(extension) ? undefined : textOf(readFileSync(path), path);
  if (content === undefined)
    return { text: `Cannot display content of binary file: ${name}`, shown: `Skipped binary file: ${name}` };
  return extension === '.svg' ? { text: content, shown: `Read SVG as text: ${name}` } : linesOf(content, name, range);
}

/** The text of a file; undefined if it is binary. */
function textOf(bytes: Buffer, path: string): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3).toString('utf8');
  const start = bytes.subarray(0, LOOKED_AT);
  const isWide = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  if (isWide) throw new NotSupported(`reading ${basename(path)} (UTF-16)`);
  if (start.includes(0)) return undefined;
  // A few strange bytes may be in a text; where many begin is not for us to say.
  if (hasStrangeBytes(bytes)) throw new NotSupported(`reading ${basename(path)} (hardly text)`);
  return bytes.toString('utf8');
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
