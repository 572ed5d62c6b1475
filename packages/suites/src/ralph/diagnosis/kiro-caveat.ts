import { type EntryResult, quote } from '@understudy/verdict';
import { contextOf } from '../../orchestrators/context-schema.js';

const KIRO_TRAILER = /^\s*▸ Credits: /m;

/**
 * Where Kiro writes its line of credits is known from its documentation alone. A loop that reads it as the last words of
 * the agent fails on the stand-in; on a real Kiro it may not.
 */
export function kiroCaveat(entry: EntryResult): string[] {
  const { stage } = entry;
  const context = contextOf(entry);
  if (stage !== 'sim' || context === undefined || context.termination_reason === 'completed') return [];
  const rests = context.iterations.find(
    ({ backend, promised, failed, stderr }) =>
      backend === 'kiro' && promised && failed !== true && KIRO_TRAILER.test(stderr ?? ''),
  );
  if (rests === undefined) return [];
  return [
    `iteration ${rests.iteration} ended with the promise, and then wrote ${quote(stderrTrailer(rests.stderr))} to stderr: ` +
      'where Kiro writes this line is known from its documentation alone, and no real Kiro was seen. ' +
      'If it is what hides the promise, a real Kiro must show whether this is a failure.',
  ];
}

function stderrTrailer(stderr = ''): string {
  return stderr.split('\n').find((line) => KIRO_TRAILER.test(line)) ?? '';
}
