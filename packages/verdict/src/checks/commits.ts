import { countOf, field } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern } from '@understudy/script';
import { pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { checkConventionalCommit } from './conventional-commit.js';
import { defineCheck, givenAt, count as number, saying, type Written } from './define-check.js';
import type { Observed } from './observed.js';
import { type CheckResult, hasPassed, statusOf } from './result.js';
import { contradiction, reviewPattern } from './review-expected.js';

const schema = z.strictObject({
  count: field('How many commits there are; without it, at least one.', number),
  message: field('A text that the message of one of them contains, or a pattern.', saying),
  conventional: field('Whether its message is a Conventional Commit.', z.boolean()),
  files: field('Files that are in it.', z.array(z.string())),
});
export type ExpectedCommits = Written<typeof schema>;

/** Which commits appeared in the turn. One of them must be all that is asked. */
export function checkCommits(
  { turn }: Observed,
  { count, message: written, conventional, files }: ExpectedCommits,
): CheckResult {
  const message = written === undefined ? undefined : asTextPattern(written);
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

export const commits = defineCheck({
  fields: { commits: field('Commits that were made; one of them has all of this.', schema) },
  scopes: ['step', 'start', 'end', 'run'],
  page: 'checks.md#files-and-commits',
  judge: (seen, { commits }, place) => givenAt(place)(['commits'], commits, (wanted) => [checkCommits(seen, wanted)]),
  review: ({ commits }) => [
    ...(commits?.count === 0 && Object.keys(commits).length > 1 ? [NONE_LIKE_THAT] : []),
    ...reviewPattern(commits?.message, 'commits', 'message'),
  ],
});

const NONE_LIKE_THAT = contradiction('with `count = 0` there is no commit that could be like that', 'commits');
