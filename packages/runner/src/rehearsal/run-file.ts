import type { Stage } from '@understudy/agents';
import type { RunResult } from '@understudy/verdict';
import { scratchFolders } from '../run/folders.js';
import { playRun } from '../run/play-run.js';
import { rehearsalEntries } from './entries.js';
import { loadRehearsal } from './load.js';
import { rehearsalPlayer } from './player.js';

export interface FileRunOptions {
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

/** Runs one rehearsal file, on each of its agents, and gives the result. Nothing is printed or stored. */
export function runRehearsalFile(file: string, options: FileRunOptions): Promise<RunResult> {
  const { agents, stage, updateSnapshots, isolation, artifacts, version, signal } = options;
  const loaded = [loadRehearsal(file)];
  return playRun(
    { entries: rehearsalEntries(loaded, { agents, stage, isolation, updateSnapshots }) },
    {
      run: { command: 'run', understudy_version: version },
      players: { rehearsal: rehearsalPlayer(loaded) },
      openFolder: scratchFolders(artifacts),
      signal,
    },
  );
}
