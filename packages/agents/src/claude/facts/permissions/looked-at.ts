import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { SimpleCommand } from './bash-command.js';

/** What each looking command does with its files, in the words of the CLI. */
const LOOKS = new Map(
  Object.entries({
    awk: 'process text from files in',
    base64: 'encode/decode files from',
    cat: 'concatenate files from',
    cd: 'change directories to',
    column: 'format files from',
    comm: 'compare files from',
    cut: 'extract columns from files in',
    diff: 'compare files from',
    file: 'examine file types in',
    find: 'search files in',
    fold: 'wrap lines of files from',
    grep: 'search for patterns in files from',
    head: 'read the beginning of files from',
    hexdump: 'display hex dump of files from',
    jq: 'process JSON from files in',
    ls: 'list files in',
    md5sum: 'compute MD5 checksums for files in',
    nl: 'number lines in files from',
    od: 'display octal dump of files from',
    paste: 'merge files from',
    rev: 'read files (reversed lines) from',
    rg: 'search for patterns in files from',
    sed: 'edit files in',
    sha256sum: 'compute SHA-256 checksums for files in',
    sort: 'sort contents of files from',
    stat: 'read file stats from',
    strings: 'extract strings from files in',
    tac: 'read files (reversed) from',
    tail: 'read the end of files from',
    uniq: 'filter duplicate lines from files in',
    wc: 'count lines/words/bytes in files from',
  }),
);

/** Commands whose first word behind the options is no file. */
const WITH_PATTERN = new Set(['awk', 'grep', 'jq', 'rg', 'sed']);
/** Options whose value is the pattern, or a file with patterns. */
const PATTERN_OPTION = /^(?:-e|-f|--regexp|--file|--expression)$/;

/** The files that a looking command looks at, to be held against the working directories. */
export function lookedAt({ program }: SimpleCommand): string[] {
  const [name = '', ...rest] = program;
  if (!LOOKS.has(name) && name !== 'less') return [];
  if (name === 'cd') return rest.length === 0 ? [inFull('~')] : rest.slice(0, 1).map(inFull);
  if (name === 'find') return upTo(rest, /^[-(!]/).map(inFull);
  const patterns = rest.filter((word) => PATTERN_OPTION.test(word)).length;
  const operands = rest.filter((word, at) => !word.startsWith('-') && !PATTERN_OPTION.test(rest[at - 1] ?? ''));
  const files = WITH_PATTERN.has(name) && patterns === 0 ? operands.slice(1) : operands;
  return files.filter((word) => !/^\d+$/.test(word)).map(inFull);
}

/** What the CLI says when a command looks at something outside the working directories. */
export function explainLook(
  { program }: SimpleCommand,
  path: string,
  directories: readonly string[],
): string | undefined {
  const [name = ''] = program;
  const look = LOOKS.get(name);
  if (look === undefined) return undefined;
  return (
    `${name} in '${path}' was blocked. For security, Claude Code may only ${look} the allowed working directories for this ` +
    `session: '${directories.join("', '")}'.`
  );
}

function upTo(words: readonly string[], end: RegExp): readonly string[] {
  const at = words.findIndex((word) => end.test(word));
  return at === -1 ? words : words.slice(0, at);
}

/** Without `~`, and of a pattern of names the folder. */
function inFull(word: string): string {
  const path = word.replace(/^(?:~|\$HOME)(?=\/|$)/, () => process.env['HOME'] ?? homedir());
  const pattern = path.search(/[*?[]/);
  return pattern === -1 ? path : dirname(`${path.slice(0, pattern)}x`);
}
