// `node scripts/ci-summary.mjs FILE…` prints what scripts/ci-reporter.mjs wrote of several runs of Vitest, and as the
// last line the counts of all of them. A run without a file ended before its summary: that is a failure.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const COUNTS = /^(\d+) passed, (\d+) failed, (\d+) skipped$/;
const total = [0, 0, 0];
for (const file of process.argv.slice(2)) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const counts = COUNTS.exec(lines.at(-1) ?? '');
  if (counts === null) {
    console.log(`${basename(file)}: Vitest ended without a summary`);
    total[1] += 1;
    continue;
  }
  // Not in the form of the last line, which is counted by who reads it.
  console.log(`\n${basename(file)}: ${counts[1]} tests passed`);
  for (const line of lines.slice(0, -1)) console.log(line);
  for (const index of total.keys()) total[index] += Number(counts[index + 1]);
}
const [passed, failed, skipped] = total;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
