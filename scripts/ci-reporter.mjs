// A Vitest reporter for .ci/run. It writes to the file named by UNDERSTUDY_SUMMARY: the slowest tests, the tests that
// were skipped (and why), failed, or passed only at the second try, and the counts as the last line.
import { writeFileSync } from 'node:fs';

const SLOWEST = 10;

// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a reporter file.
export default class CiReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    // A file that could not be loaded holds tests that nobody counted.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    const failures = inState('failed').length + broken.length + unhandledErrors.length;
    const lines = [
      'the slowest tests:',
      ...slowest(tests).map((test) => `${seconds(test)}  ${nameOf(test)}`),
      ...inState('skipped').map((test) => `skipped: ${nameOf(test)}${reasonOf(test)}`),
      ...tests
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `flaky, passed at the second try: ${nameOf(test)}`),
      ...inState('failed').map((test) => `failed: ${nameOf(test)}`),
      ...broken.map((module) => `failed to load: ${module.relativeModuleId}`),
      ...unhandledErrors.map(({ message }) => `failed outside of a test: ${message}`),
      `${inState('passed').length} passed, ${failures} failed, ${inState('skipped').length} skipped`,
    ];
    writeFileSync(process.env.UNDERSTUDY_SUMMARY, `${lines.join('\n')}\n`);
  }
}

function slowest(tests) {
  return tests
    .filter((test) => test.diagnostic() !== undefined)
    .sort((a, b) => b.diagnostic().duration - a.diagnostic().duration)
    .slice(0, SLOWEST);
}

function seconds(test) {
  return `${(test.diagnostic().duration / 1000).toFixed(1)} s`.padStart(8);
}

function nameOf(test) {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

/** The reason that a test gave; one that belongs to a skipped block has said it in a line of its own. */
function reasonOf(test) {
  const { note } = test.result();
  return note === undefined ? '' : ` (${note.replace(/^skipped: /, '')})`;
}
