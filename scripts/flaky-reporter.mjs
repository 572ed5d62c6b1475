// A Vitest reporter that names the tests that passed only at the second try: each is a fault to mend.
// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a reporter file.
export default class FlakyReporter {
  #flaky = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#flaky.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    for (const name of this.#flaky) console.log(`flaky, passed at the second try: ${name}`);
  }
}
