import { existsSync, readFileSync, statSync } from 'node:fs';
import { createTwoFilesPatch, diffLines } from 'diff';
import { NotSupported } from '../shared/refusal.js';
import { countOccurrences, replaceText, writeText } from '../shared/tools/files.js';
import type { LiveResult, ToolInput } from '../shared/tools/plain-tools.js';
import { REFUSED } from './refused.js';

const EMPTY =
  'oldString cannot be empty when editing an existing file. Provide the exact text to replace, or use write for an intentional full-file replacement.';
const NO_MATCH =
  'Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.';
const MANY_MATCHES = 'Found multiple matches for oldString. Provide more surrounding context to make the match unique.';

/** The edit tool. What it throws is its error. */
export function editPath(path: string, { oldString, newString, replaceAll }: ToolInput): LiveResult {
  const [old, now] = [String(oldString ?? ''), String(newString ?? '')];
  if (old === now) throw new Error('No changes to apply: oldString and newString are identical.');
  if (old === '') {
    if (existsSync(path)) throw new Error(EMPTY);
    return written(path, '', now);
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`File ${path} not found`);
  if (stat.isDirectory()) throw new Error(`Path is a directory, not a file: ${path}`);
  const before = readFileSync(path, 'utf8');
  const ending = before.includes('\r\n') ? '\r\n' : '\n';
  const withEnding = (text: string): string => text.replaceAll(/\r?\n/g, ending);
  const found = countOccurrences(before, withEnding(old));
  if (found === 0 && isThereLoosely(before, old)) throw new NotSupported(`${REFUSED.edits} ${path}`);
  if (found === 0) throw new Error(NO_MATCH);
  if (found > 1 && replaceAll !== true) throw new Error(MANY_MATCHES);
  return written(path, before, replaceText(before, withEnding(old), withEnding(now), replaceAll === true));
}

function written(path: string, before: string, after: string): LiveResult {
  writeText(path, after);
  const diff = withoutIndent(createTwoFilesPatch(path, path, lineFeeds(before), lineFeeds(after)));
  const count = (kind: 'added' | 'removed'): number =>
    diffLines(before, after).reduce((sum, part) => sum + (part[kind] ? part.count : 0), 0);
  const filediff = { file: path, patch: diff, additions: count('added'), deletions: count('removed') };
  return { text: 'Edit applied successfully.', isError: false, metadata: { diagnostics: {}, diff, filediff } };
}

/** OpenCode also finds texts whose lines differ in their spaces. */
function isThereLoosely(content: string, text: string): boolean {
  const plain = (one: string): string => one.replaceAll(/\\[nt]|\s+/g, ' ').trim();
  return plain(text) !== '' && plain(content).includes(plain(text));
}

/** OpenCode shows a difference without the indent that all its lines have. */
function withoutIndent(diff: string): string {
  const isLine = (line: string): boolean => /^(?:[+ ]|-)/.test(line) && !/^(?:---|\+\+\+)/.test(line);
  const indents = diff
    .split('\n')
    .filter((line) => isLine(line) && line.slice(1).trim() !== '')
    .map((line) => /^\s*/.exec(line.slice(1))?.[0].length ?? 0);
  const least = Math.min(...indents, Number.POSITIVE_INFINITY);
  if (least === 0 || !Number.isFinite(least)) return diff;
  return diff
    .split('\n')
    .map((line) => (isLine(line) ? `${line[0]}${line.slice(1 + least)}` : line))
    .join('\n');
}

function lineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
