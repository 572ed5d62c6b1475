import { posix } from 'node:path';
import { defined, field, required, shortenLine, type UnlocatedProblem } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { pick, UNWATCHED } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, each, saying, type Written } from './define-check.js';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';
import { contradiction, reviewEmpty, reviewPattern } from './review-expected.js';

const schema = z.strictObject({
  path: required('The file, relative to the project.', z.string()),
  change: field(
    'What became of it; "unchanged": it is left alone.',
    z.enum(['created', 'modified', 'deleted', 'unchanged']),
  ),
  contains: field('A text that it contains, or a pattern.', saying),
});
export type ExpectedFile = Written<typeof schema>;

/** Why nothing at this path could be seen: paths are compared as they are written, within the project. */
function unwatchedPath(path: string): string | undefined {
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

/** A file or link in the middle of a path: folders are in no event, and what is behind a link has its own path. */
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
export function checkFile(
  { turn, all }: Observed,
  { path: written, change, contains: content }: ExpectedFile,
): CheckResult {
  const contains = content === undefined ? undefined : asTextPattern(content);
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
          : `${seen.path} was ${seen.change}${contains === undefined ? '' : seen.after === undefined ? ' (content not kept)' : `: ${shortenLine(seen.after)}`}`,
    evidence: changes.map((event) => `${event.path} ${event.change}`),
    ...defined({ suggestion: missed?.fix }),
  };
}

export const files = defineCheck({
  fields: {
    files: field('Files that changed like this; change = "unchanged": the file is left alone.', z.array(schema)),
  },
  scopes: ['step', 'start', 'end', 'run'],
  page: 'checks.md#files-and-commits',
  judge: (seen, { files }, place) => each(place, ['files'], files, (file) => [checkFile(seen, file)]),
  review: ({ files }) => [...reviewEmpty('files', files), ...(files ?? []).flatMap(reviewFile)],
});

function reviewFile({ path, change, contains }: ExpectedFile, index: number): UnlocatedProblem[] {
  const problems = reviewPattern(contains, 'files', index, 'contains');
  if ((change === 'unchanged' || change === 'deleted') && contains !== undefined) {
    problems.push(contradiction(`what a file that is ${change} contains is not looked at`, 'files', index));
  }
  // Paths that no change has: those are compared as they are written.
  const why = unwatchedPath(path);
  if (why !== undefined) {
    const message = `${JSON.stringify(path)} ${why}, so nothing that is expected of it could be seen`;
    const fix = 'Write the path of one file or folder in the project, relative to the project: "src/app.py".';
    problems.push({ code: 'EXPECTS_NOTHING', message, fix, path: ['files', index, 'path'] });
  }
  return problems;
}
