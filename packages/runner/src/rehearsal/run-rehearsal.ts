import type { Stage } from '@understudy/agents';
import type { RunResult } from '@understudy/verdict';
import { scratchFolders } from '../run/folders.js';
import { playRun } from '../run/play-run.js';
import type { Rehearsal } from './load.js';
import { playableRehearsals } from './player.js';

export interface OneRunOptions {
  /** Instead of what the rehearsal says. */
  agents?: readonly string[] | undefined;
  stage?: Stage | undefined;
  updateSnapshots?: boolean | undefined;
  isolation?: string | undefined;
  /** What is kept of a failure goes here. */
  artifacts: string;
  version: string;
  signal: AbortSignal;
}

/** Runs the rehearsals of one file, on each of their agents, and gives the result. Nothing is printed or stored. */
export function runRehearsal(rehearsals: readonly Rehearsal[], options: OneRunOptions): Promise<RunResult> {
  const { agents, stage, updateSnapshots, isolation, artifacts, version, signal } = options;
  const { entries, players } = playableRehearsals(rehearsals, { agents, stage, isolation, updateSnapshots });
  const run = { command: 'run' as const, understudy_version: version };
  return playRun({ entries }, { run, players, openFolder: scratchFolders(artifacts), signal });
}
