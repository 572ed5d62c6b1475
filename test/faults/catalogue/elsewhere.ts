/** Faults that need a program, a server or a broken disk around them, and the test that plants each. */
export interface PlantedElsewhere {
  fault: string;
  file: string;
  test: string;
}

const planted = (file: string, tests: Record<string, string>): PlantedElsewhere[] =>
  Object.entries(tests).map(([fault, test]) => ({ fault, file, test }));

export const plantedElsewhere: readonly PlantedElsewhere[] = [
  ...planted('test/plugins/plugins-rehearsal.test.ts', {
    'a program that names a plugin folder which is not there':
      'a plugin folder that is not there is an error before anything starts',
    'a hook that died before the first prompt': 'fails for a hook that died at the start',
  }),
  ...planted('test/conversations/conversation-sim.test.ts', {
    'an MCP server that never comes up': 'names the MCP server that did not come up in time, and what it wrote',
    'a hook that holds up the start': 'names the hook that holds up the start',
  }),
  ...planted('test/mcp/mcp-tools.test.ts', {
    'over MCP, a shell that fails and a turn that moves nothing':
      'on sim runs the tools, and sees a turn that moved nothing',
  }),
  ...planted('src/mcp/harness/check-transition.test.ts', {
    'a move that is possible only by a longer way':
      'wants a direct move of the workflow, unless a longer way is allowed',
    'a move from another iteration': 'holds the iteration of the stage before against the wanted one',
    'a move that nobody saw': 'asks for the move to have been seen where there is a conversation',
  }),
  ...planted('src/mcp/harness/projects.test.ts', {
    'a folder of the user among those that are cleared':
      'removes the projects of its own home, and nothing that the user named',
  }),
  ...planted('test/tests-in-code/vitest-fixtures.test.ts', {
    'a test that does not follow its script': 'fails a test that does not follow its script, unless that is allowed',
    'a test that is negated where nothing could be looked at':
      'refuses matchers that could not look: not is no way around them',
    'a test that takes too long': 'clears up after a test that fails, throws or takes too long',
    'a test with a broken scenario': 'says everything about an error of the harness, and nothing about our own code',
  }),
  ...planted('test/house/disk-errors.test.ts', {
    'a folder where nothing can be written': 'keeps the result of a run that passed where nothing can be written',
    'no more file descriptors': 'says that too many files are open',
    'a report that cannot be written': 'prints the report of the suite that cannot be written',
  }),
  ...planted('test/orchestrators/loop-suite.test.ts', {
    'an orchestrator that does nothing': 'fails with 1 on an orchestrator that does nothing',
  }),
  ...planted('test/long/predecessor-faults.test.ts', {
    'an orchestrator that never ends': '1: at the deadline nobody is left alive, and what was seen is kept',
    'a suite of which nothing runs': '2: a run in which all was skipped, or nothing was there to run, is not green',
    'an unknown flag instead of refused credentials':
      '3: a usage error of an unknown flag is no authentication failure',
    'a program that only writes that it iterated':
      '4: iterations are counted by records, not by what somebody writes about them',
    'a promise in a sentence': '5: a promise on the console or in a sentence completes nothing',
    'a part of shared work that is missing': '6: no part of shared work can be missing, whoever does the others',
    'a CLI that nobody is signed in to':
      '7: a CLI that tells its version is not thereby signed in, and its cases do not run',
    'facts of an older run': '8: a workspace that is already there is cleared, and old facts prove nothing',
  }),
];
