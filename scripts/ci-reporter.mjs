// A Vitest reporter for .ci/run and `npm run soak`. It writes to the file named by UNDERSTUDY_SUMMARY: the slowest tests and files,
// the tests that were skipped (and why), failed, or passed only at the second try, and the counts as the last line.
import { writeFileSync } from 'node:fs';

const SLOWEST = 10;
const SLOWEST_FILES = 30;

// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a reporter file.
export default class CiReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    // A file that could not be loaded, and a hook that failed, keep tests from running that nobody counted.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0);
    const failures = inState('failed').length + broken.length + unhandledErrors.length;
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    const lines = [
      'the slowest tests:',
      ...slowest(tests, SLOWEST).map((test) => `${seconds(test)}  ${nameOf(test)}`),
      'the slowest files:',
      ...slowest(modules, SLOWEST_FILES).map((module) => `${seconds(module)}  ${nameOf(module)}`),
      ...inState('skipped').map((test) => `skipped: ${nameOf(test)}${reasonOf(test)}`),
      ...flaky.map((test) => `flaky, passed at the second try: ${nameOf(test)}`),
      ...(flaky.length === 0 ? [] : [`${flaky.length} passed at the second try: each is a bug`]),
      ...inState('failed').map((test) => `failed: ${nameOf(test)}`),
      ...broken.map((suite) => `failed to load or in a hook: ${nameOf(suite)}`),
      ...unhandledErrors.map(({ message }) => `failed outside of a test: ${message}`),
      `${inState('passed').length} passed, ${failures} failed, ${inState('skipped').length} skipped`,
    ];
    writeFileSync(process.env.UNDERSTUDY_SUMMARY, `${lines.join('\n')}\n`);
  }
}

function slowest(tasks, count) {
  return tasks
    .filter((task) => task.diagnostic() !== undefined)
    .sort((a, b) => b.diagnostic().duration - a.diagnostic().duration)
    .slice(0, count);
}

function seconds(task) {
  return `${(task.diagnostic().duration / 1000).toFixed(1)} s`.padStart(8);
}

function nameOf(testOrSuite) {
  if (testOrSuite.type === 'module') return testOrSuite.relativeModuleId;
  return `${testOrSuite.module.relativeModuleId} > ${testOrSuite.fullName}`;
}

/** The reason that a test gave; one that belongs to a skipped block has said it in a line of its own. */
function reasonOf(test) {
  const { note } = test.result();
  return note === undefined ? '' : ` (${note.replace(/^skipped: /, '')})`;
}
