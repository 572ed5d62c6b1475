import { expect, it } from 'vitest';
import { checkCommandSuggested } from './command-suggested.js';
import { checkConventionalCommit } from './conventional-commit.js';
import { checkErrorHandled } from './error-handled.js';
import { checkKeywords } from './keywords.js';
import { checkSpecificFeedback } from './specific-feedback.js';

/** What an agent says is not ours: a text made to keep a pattern busy must not keep a run busy. */
const pieces = [
  '/plan ',
  'from ',
  '(',
  '\n',
  ' ',
  '1',
  '#',
  '.',
  'at ',
  '  at x:1',
  'not ',
  'error ',
  '`',
  '*',
  'a',
  'to ',
  '-',
  ', ',
  'rgb(',
];
/** Far above what an honest text takes, far below what a pattern that backtracks takes: half a minute. */
const LONGEST_MS = 10_000;
const checks = {
  keywords: (text: string) => checkKeywords(text, ['systematic plan', 'zebra'], { require: 'all', skipNegated: true }),
  command: (text: string) => checkCommandSuggested(text, '/code'),
  'a command that is always denied': (text: string) =>
    checkCommandSuggested(text.replaceAll('/plan', 'not /plan'), '/plan'),
  error: (text: string) => checkErrorHandled(text, { errorType: 'syntax_error' }),
  feedback: (text: string) => checkSpecificFeedback(text),
  commit: (text: string) => checkConventionalCommit(text),
};

it.each(Object.entries(checks))('the check of %s stays quick on hostile text', { timeout: 60_000 }, (_, check) => {
  for (const piece of pieces) {
    const text = piece.repeat(60_000 / piece.length);
    // The time of the processor: others may be at work beside us.
    const started = process.cpuUsage();
    check(text);
    expect(process.cpuUsage(started).user / 1000, JSON.stringify(piece)).toBeLessThan(LONGEST_MS);
  }
});
