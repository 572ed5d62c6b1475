import { shellWord } from '@understudy/kit';
import type { EntryResult, RunResult } from '@understudy/verdict';
import { firstFinding, type SuiteDiagnosis } from '@understudy/verdict';
import { contextOf } from '../../orchestrators/context-schema.js';
import { contractBroken } from '../../orchestrators/contract/contract-rule.js';
import { authenticationError, backendError, configurationError, timeoutExceeded } from './backend-rules.js';
import { baselineGreen } from './baseline-rule.js';
import { endedOtherwise, neverRan, silentRun } from './ending-rules.js';
import { eventDropped, eventMalformed, eventMissing, eventUnlogged, ownEventMissing } from './event-rules.js';
import { EXCUSES } from './excuses.js';
import { FailedProgram, type ProgramRule } from './failed-program.js';
import { kiroCaveat } from './kiro-caveat.js';
import { LOOPHOLES } from './loopholes.js';
import { memoryLost, programMismatch } from './mismatch-rules.js';
import { notFollowed, notInjected, unparsedStream } from './prompt-rules.js';
import { judgeQuality } from './quality.js';
import { misrouted } from './routing-rule.js';
import { aboutSlowAgents } from './slow-agents.js';
import { spokenInLoop } from './spoken.js';

/** Causes before effects: an agent that was never asked writes no event. */
const RULES: readonly ProgramRule[] = [
  baselineGreen,
  contractBroken,
  silentRun,
  configurationError,
  timeoutExceeded,
  authenticationError,
  backendError,
  neverRan,
  unparsedStream,
  eventUnlogged,
  ownEventMissing,
  misrouted,
  eventMalformed,
  eventDropped,
  memoryLost,
  notInjected,
  eventMissing,
  notFollowed,
  endedOtherwise,
];

/** What is known about failures of loops that call agents. */
export const loopDiagnosis: SuiteDiagnosis = {
  explain: (entry) => firstFinding(RULES, new FailedProgram(entry)),
  explainRest: (entry) => firstFinding([programMismatch], new FailedProgram(entry)),
  remarks: (entry, type) => [
    ...kiroCaveat(entry),
    ...(type === 'BaselineGreen' ? [] : (entry.baselines ?? []))
      .filter(({ red }) => !red)
      .map(({ condition }) => `the baseline "${condition}" did not fail either`),
  ],
  quality(entry) {
    const context = contextOf(entry);
    const { case: own, stage } = entry;
    if (context === undefined || own === undefined) return undefined;
    return judgeQuality(context, own.expected_iterations, stage);
  },
  loopholes: LOOPHOLES,
  excuses: EXCUSES,
  spoken: spokenInLoop,
  commands: readRecords,
  recommend: aboutSlowAgents,
};

type Command = NonNullable<RunResult['quick_fix_commands']>[number];

/** The files in which a loop keeps its facts, and the pointers to them. */
const RECORDS = [
  { pointer: '.ralph/current-events', what: 'The events that were published' },
  { pointer: '.ralph/current-iterations', what: 'The prompt and the output of each iteration' },
];

/** Commands that show the records of a loop. */
function readRecords(entry: EntryResult): Command[] {
  const { id, artifacts } = entry;
  if (artifacts === undefined) return [];
  const files = contextOf(entry)?.workspace_files.map(({ path }) => path) ?? [];
  return RECORDS.filter(({ pointer }) => files.includes(pointer)).map(({ pointer, what }) => ({
    description: `${what} in ${id}`,
    command: `cd ${shellWord(artifacts)} && cat "$(cat ${pointer})"`,
  }));
}
