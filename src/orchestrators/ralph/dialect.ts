import { compareVersions } from '../../agents/store/compare-versions.js';
import { keepCalls } from '../agent-calls.js';
import type { StageName } from '../case.js';

/** How an orchestrator wants to be spoken to, and where it keeps things; it changes with its version. */
export interface Dialect {
  /** What `run` needs so that it keeps to its files and to plain output. */
  run: readonly string[];
  /** The folder of memories and scratchpad. */
  agentFolder: string;
  /** Who keeps the facts of a run: the reference loop its own records; of a Ralph, its files and our own eyes. */
  records: 'loop' | 'ralph';
  /** What has the facts of a step (from 0) kept. */
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

/** The ways of a Ralph, by its version; the boundary was read in the releases on both sides of it. */
export function dialectOf(version: string): Dialect {
  return {
    // Without the first a TUI takes the terminal; the second keeps what was published.
    run: ['--no-tui', '--record-session', SESSION],
    agentFolder: compareVersions(version, '2.3.0') >= 0 ? AGENT_FOLDER : '.agent',
    records: 'ralph',
    environment: (workspace, step, stage) => ({
      RALPH_DIAGNOSTICS: '1',
      ...keepCalls(workspace, step, stage !== 'live'),
    }),
  };
}

/** Where a file that a case names is for this orchestrator. */
export function placeOf(file: string, { agentFolder }: Dialect): string {
  return file.startsWith(`${AGENT_FOLDER}/`) ? `${agentFolder}${file.slice(AGENT_FOLDER.length)}` : file;
}
