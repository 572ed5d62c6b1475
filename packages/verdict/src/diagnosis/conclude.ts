import { defined } from '@understudy/kit';
import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { diagnose } from './diagnose.js';
import { findLoopholes } from './loopholes.js';
import { findPatterns } from './patterns.js';
import { suggestCommands } from './quick-fixes.js';
import { findRationalizations } from './rationalizations.js';
import { recommend } from './recommendations.js';
import { findSimilar } from './similar.js';
import { suiteOf } from './suite.js';

/** Adds to a finished entry why it failed, or how well it passed. */
export function concludeEntry(result: EntryResult): EntryResult {
  const { status } = result;
  if (status === 'failed' || status === 'unjudged' || status === 'error') {
    return { ...result, diagnosis: diagnose(result) };
  }
  const quality = status === 'passed' || status === 'flaky' ? suiteOf(result)?.quality(result) : undefined;
  return { ...result, ...defined({ quality }) };
}

/** Adds to a finished run what its entries have in common, and what to do next. What there is nothing of is left out. */
export function concludeRun(run: RunResult): RunResult {
  const entries = findSimilar(run.entries);
  const loopholes = findLoopholes(entries);
  const lists = {
    patterns: findPatterns(entries),
    rationalizations: findRationalizations(entries),
    loopholes,
    recommendations: recommend(entries, loopholes),
    quick_fix_commands: suggestCommands(entries),
    artifacts: entries.flatMap(({ id, status, artifacts: path }) =>
      path === undefined ? [] : [{ path, description: `folder of ${id} (${status})` }],
    ),
  };
  const filled = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
  return { ...run, entries, ...filled };
}
