import { describeArtifacts, describeFailure, describeRehearsal, describeRun } from './describe-result.js';
import type { Reporter } from './reporter.js';

/** A line for each rehearsal as it ends: for pipes, logs and CI. */
export function linesReporter(print: (line: string) => void): Reporter {
  return {
    start() {},
    begin() {},
    step() {},
    end(_entry, result) {
      print(describeRehearsal(result));
      if (result.status === 'failed' || result.status === 'error') print(`${describeFailure(result)}\n`);
      else if (result.artifacts !== undefined) print(describeArtifacts(result.artifacts));
    },
    finish(run) {
      print(`\n${describeRun(run)}`);
    },
  };
}
