import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { makeFolder } from '@understudy/kit';
import { REFUSED } from '../refused.js';
import { refuse } from './live-tool.js';

/** A file that a tool changes, as the CLI sees it. */
export interface TextFile {
  /** With line ends of one character. A byte-order mark is its first character. */
  text: string;
  /** Its lines end with two characters. */
  hasReturns: boolean;
}

const MARK = '\uFEFF';
/** Endings of files that the CLI does not show as their lines, whatever is in them. */
const OTHER_FILES: ReadonlySet<string> = new Set(
  (
    'ipynb pdf png jpg jpeg gif webp bmp ico tiff tif heic avif mp4 mov avi mkv webm wmv flv m4v mpeg mpg mp3 wav ogg flac ' +
    'aac m4a wma aiff opus zip tar gz bz2 7z rar xz z tgz iso exe dll so dylib bin o a obj lib app msi deb rpm doc docx xls ' +
    'xlsx ppt pptx odt ods odp ttf otf woff woff2 eot pyc pyo class jar war ear node wasm rlib sqlite sqlite3 db mdb idx psd ' +
    'ai eps sketch fig xd blend 3ds max swf fla lockb dat data pickle npy parquet dmg apk whl zst lz4'
  ).split(' '),
);

/** Stops at a file that is no plain text by its name. */
export function refuseOtherFile(path: string): void {
  if (OTHER_FILES.has(extname(path).slice(1).toLowerCase())) refuse(`${REFUSED.otherFiles}: ${path}`);
}

/** The text of a file, without a byte-order mark. */
export function textOf(path: string, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (text.includes('\0') || !Buffer.from(text, 'utf8').equals(bytes)) refuse(`${REFUSED.otherFiles}: ${path}`);
  return text.startsWith(MARK) ? text.slice(1) : text;
}

/** Reads a file to change it; nothing where there is none. */
export function readTextFile(path: string): TextFile | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const text = textOf(path, bytes);
  const mark = bytes.toString('utf8', 0, 3) === MARK ? MARK : '';
  return { text: mark + text.replaceAll('\r\n', '\n'), hasReturns: text.includes('\r\n') };
}

/** Writes a file as it was written. Folders that are missing above it are made. */
export function writeTextFile(path: string, text: string, like?: Pick<TextFile, 'hasReturns'>): void {
  makeFolder(dirname(path));
  writeFileSync(path, like?.hasReturns ? text.replaceAll('\n', '\r\n') : text);
}

/** A text that takes the place of another one begins with the same mark. */
export function withMarkOf(file: TextFile | undefined, text: string): string {
  return file?.text.startsWith(MARK) && !text.startsWith(MARK) ? MARK + text : text;
}
