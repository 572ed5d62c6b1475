import { posix } from 'node:path';
import { defined } from '@understudy/kit';
import { compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { pick, UNWATCHED } from '@understudy/stage';
import { type Observed, shorten } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedFile {
  path: string;
  /** `unchanged`: the turn must leave it alone. */
  change?: 'created' | 'modified' | 'deleted' | 'unchanged' | undefined;
  contains?: TextPattern | undefined;
}

/** Why nothing at this path could be seen: paths are compared as they are written, within the project. */
export function unwatchedPath(path: string): string | undefined {
  if (posix.isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path)) return 'is an absolute path';
  if (posix.normalize(path).split('/')[0] === '..') return 'leads out of the project';
  if (/[*?]/.test(path)) return 'is a pattern, and paths are compared as they are written';
  return posix.normalize(path) === '.' ? 'is the project itself' : undefined;
}

/** Folders of which no snapshot is taken: git and the package managers write there all the time. */
function ignoredPart(path: string): [{ message: string; fix: string }] | undefined {
  const part = path.split('/').find((name) => UNWATCHED.includes(name));
  if (part === undefined) return undefined;
  const message = `changes in ${part} are not recorded`;
  const fix = part === '.git' ? 'Expect `commits`, or look at it in a `run` step.' : 'Look at it in a `run` step.';
  return [{ message, fix }];
}

/** A file or link in the middle of a path: folders are in no event, and what is behind a link is told by its own path. */
function linkBefore(path: string, all: Observed['all']): [{ message: string; fix: string }] | undefined {
  const last = new Map(pick(all, 'file_changed').map((event) => [event.path, event]));
  const link = [...last.values()].find((event) => event.change !== 'deleted' && path.startsWith(`${event.path}/`));
  if (link === undefined) return undefined;
  const message = `${link.path} is a link, and what is behind it is recorded by its own path`;
  return [{ message, fix: 'Write the path without the link.' }];
}

/** `contains "x"`, `its content is glob "x"`. */
function describeContent(pattern: TextPattern): string {
  return pattern.type === 'contains' ? describePattern(pattern) : `its content is ${describePattern(pattern)}`;
}

/** What the turn did to a file of the project. */
export function checkFile({ turn, all }: Observed, { path: written, change, contains }: ExpectedFile): CheckResult {
  const path = posix.normalize(written).replace(/\/$/, '');
  const [missed] = ignoredPart(path) ?? linkBefore(path, all) ?? pick(turn, 'files_not_watched');
  const changes = pick(turn, 'file_changed');
  // A folder is left alone where nothing in it changed.
  const isIt = (event: { path: string }) =>
    event.path === path || (change === 'unchanged' && event.path.startsWith(`${path}/`));
  const seen = changes.filter(isIt).at(-1);
  const rightChange =
    change === 'unchanged'
      ? seen === undefined
      : seen !== undefined && (change === undefined || seen.change === change);
  // Content that was too large to keep cannot be looked at.
  const notKept = contains !== undefined && seen !== undefined && seen.change !== 'deleted' && seen.after === undefined;
  const rightContent =
    contains === undefined ||
    (seen?.after !== undefined && compileTextPattern(contains).match(seen.after.trim()) !== undefined);
  return {
    name: 'file',
    category: 'files',
    subject: { kind: 'file', path },
    present: seen !== undefined,
    status: missed !== undefined || (rightChange && notKept) ? 'unjudged' : statusOf(rightChange && rightContent),
    expected: `${path} ${change === 'unchanged' ? 'is left alone' : `is ${change ?? 'changed'}`}${contains === undefined ? '' : ` and ${describeContent(contains)}`}`,
    actual:
      missed !== undefined
        ? `not known: ${missed.message}`
        : seen === undefined
          ? `${path} was not changed`
          : `${seen.path} was ${seen.change}${contains === undefined ? '' : seen.after === undefined ? ' (content not kept)' : `: ${shorten(seen.after)}`}`,
    evidence: changes.map((event) => `${event.path} ${event.change}`),
    ...defined({ suggestion: missed?.fix }),
  };
}
