// Prints the counts of a Vitest JSON report as the last line of CI; a run without tests has failed.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: todo = 0 } = report;
// A file that could not even be loaded holds tests that nobody counted.
const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
for (const file of report.testResults) {
  for (const test of file.assertionResults) {
    if (test.status !== 'passed') console.log(`${test.status}: ${test.fullName}`);
  }
}
for (const file of broken) console.log(`failed to load: ${file.name}`);
console.log(`${passed} passed, ${failed + broken.length} failed, ${pending + todo} skipped`);
process.exit(failed + broken.length > 0 || passed === 0 ? 1 : 0);
