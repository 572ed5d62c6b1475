// The order of test files: those that take longest first, so that no core waits for the last one at the end.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Files of more than ten seconds, the longest first. Whoever adds one puts it here.
const LONG = [
  'test/faults/faults.test.ts',
  'test/plugins/marketplace-suite.test.ts',
  'test/long/agents-other-clis.test.ts',
  'test/orchestrators/loop-suite.test.ts',
  'test/long/workspace-projects.test.ts',
  'test/faults/loop-faults.test.ts',
  'test/agents/real-agents-on-scripted-model.test.ts',
  'test/conversations/conversation-claude.test.ts',
  'test/agents/real-claude-faults-on-scripted-model.test.ts',
  'test/long/loop-suite-scripted.test.ts',
  'test/guard/guard.test.ts',
  'test/orchestrators/e2e-analysis.test.ts',
  'test/orchestrators/analyze-run.test.ts',
  'test/conformance/claude-stand-in.test.ts',
  'test/mcp/mcp-tools.test.ts',
  'test/mcp/mcp-plugin-tools.test.ts',
  'test/tests-in-code/vitest-fixtures.test.ts',
  'test/tests-in-code/vitest-rehearsals.test.ts',
  'test/long/marketplace-scripts.test.ts',
  'test/mcp/mcp-conformance.test.ts',
  'test/long/terminal-rehearsal.test.ts',
  'test/long/e2e-availability.test.ts',
  'test/doors/run-command.test.ts',
  'test/house/packed-package.test.ts',
  'test/isolation/forged-evidence.test.ts',
  'test/isolation/process-ends.test.ts',
  'test/run/run-command-interrupt.test.ts',
  'test/run/own-suites.test.ts',
];

/** Sorts the files of {@link LONG} before all others. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter((file) => !existsSync(resolve(file)));
    if (gone.length > 0)
      throw new Error(`scripts/long-files-first.ts names files that do not exist: ${gone.join(', ')}`);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG.indexOf(relative(process.cwd(), moduleId));
      return index === -1 ? LONG.length : index;
    };
    // The sort is stable: the rest keeps the order of Vitest, whole-program tests before units.
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
