import { countOf } from '@understudy/kit';
import { compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { pick } from '@understudy/stage';
import { checkConventionalCommit } from './conventional-commit.js';
import type { Observed } from './observed.js';
import { type CheckResult, hasPassed, statusOf } from './result.js';

export interface ExpectedCommits {
  /** Commits of the turn; at least one where it is not said. */
  count?: number | undefined;
  message?: TextPattern | undefined;
  /** The message is a Conventional Commit. */
  conventional?: boolean | undefined;
  /** Files that must be in it. */
  files?: readonly string[] | undefined;
}

/** Which commits appeared in the turn. One of them must be all that is asked. */
export function checkCommits(
  { turn }: Observed,
  { count, message, conventional, files }: ExpectedCommits,
): CheckResult {
  const commits = pick(turn, 'commit');
  const pattern = message === undefined ? undefined : compileTextPattern(message);
  const fitting = commits.filter(
    (commit) =>
      (pattern === undefined || pattern.match(commit.message.trim()) !== undefined) &&
      (conventional === undefined || hasPassed(checkConventionalCommit(commit.message)) === conventional) &&
      (files ?? []).every((file) => commit.files.includes(file)),
  );
  const rightCount = count === undefined ? commits.length > 0 : commits.length === count;
  const wanted = [
    count === undefined ? 'a commit' : countOf(count, 'commit'),
    ...(message === undefined ? [] : [`message ${describePattern(message)}`]),
    ...(conventional === undefined ? [] : [`${conventional ? 'a' : 'no'} conventional message`]),
    ...(files === undefined ? [] : [`files ${files.join(', ')}`]),
  ];
  return {
    name: 'commits',
    category: 'git',
    subject: { kind: 'commit' },
    present: commits.length > 0,
    status: statusOf(rightCount && (count === 0 || fitting.length > 0)),
    expected: wanted.join(', '),
    actual:
      commits.length === 0
        ? 'no commit'
        : commits.map((commit) => JSON.stringify(commit.message.split('\n')[0])).join(', '),
    evidence: commits.map(
      (commit) => `${commit.hash.slice(0, 7)} ${commit.message.split('\n')[0]} (${commit.files.join(', ')})`,
    ),
  };
}
