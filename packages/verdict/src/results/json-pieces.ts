import type { RunResult } from './run-result.js';

/** A run as JSON, entry by entry: the text of all of them is longer than what they take in memory. */
export function* jsonPieces(run: RunResult): Generator<string> {
  let separator = '{';
  for (const [key, value] of Object.entries(run)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    if (key === 'entries') yield* listPieces(run.entries);
    else yield JSON.stringify(value);
    separator = ',';
  }
  yield '}\n';
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  let separator = '[';
  for (const item of list) {
    yield `${separator}${JSON.stringify(item)}`;
    separator = ',';
  }
  yield list.length === 0 ? '[]' : ']';
}
