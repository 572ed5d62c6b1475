import { compareVersions } from '@understudy/agents';
import { keepCalls } from '../orchestrators/agent-calls.js';
import type { StageName } from '../orchestrators/case.js';
import { hasScript } from '../orchestrators/stage.js';

/** How an orchestrator is called and where it keeps its files. This changes with its version. */
export interface Dialect {
  /** Arguments with which `run` writes its records and prints plain text. */
  run: readonly string[];
  /** The folder of memories and scratchpad. */
  agentFolder: string;
  /** Where the facts of a run come from: the records of the reference loop, or the files of Ralph and our recorded calls. */
  records: 'loop' | 'ralph';
  /** Variables with which the facts of a step (from 0) are recorded. */
  environment(workspace: string, step: number, stage: StageName): Record<string, string>;
}

/** Where a Ralph is asked to record its session, in the workspace. */
export const SESSION = '.home/session.jsonl';

/** Where the cases expect memories and scratchpad. */
const AGENT_FOLDER = '.ralph/agent';

export const referenceDialect: Dialect = {
  run: [],
  agentFolder: AGENT_FOLDER,
  records: 'loop',
  environment: () => ({}),
};

/** The dialect of a Ralph, by its version. The versions were read from the releases before and after each change. */
export function dialectOf(version: string): Dialect {
  return {
    // The first keeps the TUI off, the second records what was published.
    run: ['--no-tui', '--record-session', SESSION],
    // A build without a number is newer than every release.
    agentFolder: !/^\d+\.\d+/.test(version) || compareVersions(version, '2.3.0') >= 0 ? AGENT_FOLDER : '.agent',
    records: 'ralph',
    environment: (workspace, step, stage) => ({
      RALPH_DIAGNOSTICS: '1',
      ...keepCalls(workspace, step, hasScript(stage)),
    }),
  };
}

/** Where this orchestrator keeps a file that a case names. */
export function pathFor(file: string, { agentFolder }: Dialect): string {
  return file.startsWith(`${AGENT_FOLDER}/`) ? `${agentFolder}${file.slice(AGENT_FOLDER.length)}` : file;
}
