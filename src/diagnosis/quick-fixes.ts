import { join } from 'node:path';
import type { StageName } from '../orchestrators/case.js';
import { shellWord } from '../process/shell-word.js';
import type { ReportedResult, SuiteReport } from '../results/schema.js';

type Command = SuiteReport['quick_fix_commands'][number];

/** The files in which a loop keeps its facts, and the pointers to them. */
const RECORDS = [
  { pointer: '.ralph/current-events', what: 'The events that were published' },
  { pointer: '.ralph/current-iterations', what: 'What each iteration was told, and what it said' },
];

/** Commands with which one goes on from a failure. */
export function suggestCommands(
  results: readonly ReportedResult[],
  stage: StageName,
  orchestrator: readonly string[],
  workspaceRoot: string,
): Command[] {
  const how = [
    ...(stage === 'sim' ? [] : ['--stage', stage]),
    // Our own loop is no program of its own: it is called with more than one word.
    ...(orchestrator.length === 1 ? ['--ralph', ...orchestrator] : []),
  ];
  return results
    .filter(({ status }) => status === 'failed')
    .flatMap((result) => [rerun(result, how), ...lookAt(result, workspaceRoot)]);
}

function rerun({ scenario_id: id, case_id: caseId, backend }: ReportedResult, how: readonly string[]): Command {
  const words = [
    'understudy',
    'e2e',
    backend,
    '--filter',
    `${caseId}@${backend}`,
    ...how,
    '--verbose',
    '--keep-workspace',
  ];
  return { description: `Run ${id} alone, and keep its workspace`, command: words.map(shellWord).join(' ') };
}

function lookAt({ scenario_id: id, context }: ReportedResult, root: string): Command[] {
  const files = context?.workspace_files.map(({ path }) => path) ?? [];
  return RECORDS.filter(({ pointer }) => files.includes(pointer)).map(({ pointer, what }) => ({
    description: `${what} in ${id}`,
    command: `cd ${shellWord(join(root, id))} && cat "$(cat ${pointer})"`,
  }));
}
