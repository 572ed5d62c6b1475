import { UnderstudyError } from '@understudy/kit';
import { type Diagnosis, failureTypes } from '../../results/sections.js';
import { CHECK_MARKS, FAILED_MARK } from './marks.js';
import { cellsOf, plain } from './text.js';
import { TITLE } from './write-markdown.js';

/** A failed test as report.md describes it. */
export interface ReadFailure {
  id: string;
  agent: string;
  /** The checks that did not pass. */
  checks: {
    step: string;
    name: string;
    status: 'failed' | 'unjudged';
    category: string;
    expected: string;
    actual: string;
  }[];
  failureType: Diagnosis['failure_type'] | undefined;
  hypothesis: string | undefined;
  evidence: string[];
  similarFailures: string[];
  investigations: string[];
  fixes: Diagnosis['potential_fixes'];
}

export interface ReadReport {
  passed: boolean;
  failures: ReadFailure[];
}

/** Reads a report.md back: its verdict, and every failure with its evidence. */
export function readReport(markdown: string): ReadReport {
  const lines = withoutFences(markdown);
  if (lines[0] !== TITLE) {
    throw new UnderstudyError('SUITE_NOT_A_REPORT', `this is not a report: its first line is not "${TITLE}"`, {
      fix: 'Give the report.md that `understudy e2e --report markdown` wrote.',
    });
  }
  const start = lines.indexOf('## 🔴 Failed tests');
  const end = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const failed = start === -1 ? [] : lines.slice(start + 1, end);
  return {
    passed: lines.some((line) => /^## 🟢 PASSED(?:,|$)/.test(line)),
    failures: splitAt(failed, HEADING).map(readFailure),
  };
}

/** What is inside a fence is untrusted: it is never structure. */
function withoutFences(markdown: string): string[] {
  let open: string | undefined;
  return markdown.split('\n').filter((line) => {
    if (open !== undefined) {
      if (line === open) open = undefined;
      return false;
    }
    open = /^`{3,}/.exec(line)?.[0];
    return open === undefined;
  });
}

const HEADING = new RegExp(`^### ${FAILED_MARK} (.*)$`);

/** The parts that begin with a line of some kind. */
function splitAt(lines: readonly string[], beginning: RegExp): string[][] {
  const starts = lines.flatMap((line, index) => (beginning.test(line) ? [index] : []));
  return starts.map((start, index) => lines.slice(start, starts[index + 1]));
}

function readFailure(lines: readonly string[]): ReadFailure {
  const type = after(lines, '**Failure type:** ');
  const hypothesis = after(lines, '**Hypothesis:** ');
  return {
    id: plain(HEADING.exec(lines[0] ?? '')?.[1] ?? ''),
    agent: plain(after(lines, '- **Agent:** ') ?? ''),
    checks: readChecks(lines),
    failureType: type === undefined ? undefined : oneOf(failureTypes, type),
    hypothesis: hypothesis === undefined ? undefined : plain(hypothesis),
    evidence: items(lines, 'Evidence').map(plain),
    similarFailures: items(lines, 'Similar failures').map(plain),
    investigations: items(lines, 'Investigate').map(plain),
    fixes: readFixes(lines),
  };
}

function after(lines: readonly string[], beginning: string): string | undefined {
  return lines.find((line) => line.startsWith(beginning))?.slice(beginning.length);
}

function oneOf<T extends string>(values: readonly T[], found: string | undefined): T {
  const value = values.find((candidate) => candidate === found);
  if (value !== undefined) return value;
  throw new UnderstudyError(
    'SUITE_REPORT_DAMAGED',
    `the report says "${found}" where one of these should be: ${values.join(', ')}`,
    {
      fix: 'Run the suite again, or read report.json.',
    },
  );
}

function readChecks(lines: readonly string[]): ReadFailure['checks'] {
  const title = lines.indexOf('#### Checks');
  if (title === -1) return [];
  // An empty line, two lines of head, then the rows.
  const rows = takeWhile(lines.slice(title + 4), (line) => line.startsWith('| '));
  return rows.flatMap((line) => {
    const [step = '', name = '', mark, category = '', expected = '', actual = ''] = cellsOf(line);
    const status = (['failed', 'unjudged'] as const).find((wanted) => CHECK_MARKS[wanted] === mark);
    if (status === undefined) return [];
    return [{ step, name: plain(name), status, category, expected: plain(expected), actual: plain(actual) }];
  });
}

/** The lines of a list, those that belong to an item included. */
function listLines(lines: readonly string[], title: string): string[] {
  const start = lines.indexOf(`**${title}:**`);
  return start === -1 ? [] : takeWhile(lines.slice(start + 2), (line) => /^(?: {2})?- /.test(line));
}

function items(lines: readonly string[], title: string): string[] {
  return listLines(lines, title).map((line) => line.slice('- '.length));
}

const FIX = /^- \*\*\[\w+ confidence, ([\d.e-]+)\]\*\* (.*)$/;

function readFixes(lines: readonly string[]): ReadFailure['fixes'] {
  return splitAt(listLines(lines, 'Potential fixes'), FIX).map((own) => {
    const [, confidence = '', description = ''] = FIX.exec(own[0] ?? '') ?? [];
    const file = after(own, '  - File: ');
    const change = after(own, '  - Change: ');
    return {
      description: plain(description),
      confidence: Number(confidence),
      ...(file === undefined ? {} : { file_to_modify: plain(file) }),
      ...(change === undefined ? {} : { suggested_change: plain(change) }),
    };
  });
}

function takeWhile(lines: readonly string[], holds: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !holds(line));
  return lines.slice(0, end === -1 ? lines.length : end);
}
