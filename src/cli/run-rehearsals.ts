import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../agents/driver.js';
import { concludeEntry, concludeRun } from '../diagnosis/conclude.js';
import { defined } from '../document/defined.js';
import { partsOfRehearsal, rehearsalEntries } from '../rehearsal/entries.js';
import { findRehearsals } from '../rehearsal/find-rehearsals.js';
import { loadRehearsal, REHEARSAL_ENDING } from '../rehearsal/load.js';
import { scratchFolders } from '../runner/folders.js';
import { untilInterrupted } from '../runner/interruption.js';
import { RUN_FOLDER } from '../runner/last-run.js';
import { planRun } from '../runner/plan.js';
import { runEntries } from '../runner/run-entries.js';
import { watchAndRun } from '../runner/watch-and-run.js';
import { print, printError, printWarning } from './output.js';
import { planOptions, type RunFlags, rememberIfPossible, reporterFor } from './run-flags.js';
import { version } from './version.js';

interface Options extends RunFlags {
  stage?: Stage;
  agent?: string[];
  update?: true;
}

/** Runs rehearsals and gives the exit code; with `--watch`, until it is interrupted. */
export async function runRehearsals(paths: readonly string[], options: Options): Promise<number> {
  return untilInterrupted(async (signal) => {
    if (options.watch !== true) return runOnce(findRehearsals(paths), options, signal);
    const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
    await watchAndRun({
      watched: () => ({
        parts: new Map(findRehearsals(paths).map((file) => [file, partsOfRehearsal(file)])),
        folders,
        isNew: (path) => path.endsWith(REHEARSAL_ENDING),
      }),
      run: (files) => runOnce(files, options, signal).catch(printError),
      onWait: () => print('\nwatching; Ctrl-C ends'),
      signal,
    });
    return 0;
  });
}

async function runOnce(files: readonly string[], options: Options, signal: AbortSignal): Promise<number> {
  const entries = rehearsalEntries(files.map(loadRehearsal), {
    agents: options.agent,
    stage: options.stage,
    updateSnapshots: options.update,
  });
  const reporter = reporterFor(options);
  const ran = await runEntries(planRun(entries, planOptions(options)), {
    run: {
      command: 'run',
      understudy_version: version,
      ...defined({ shard: options.shard, strict: options.strict }),
    },
    noun: 'rehearsal',
    workers: options.workers,
    retries: options.retries,
    maxFailures: options.maxFailures,
    keepWorkspace: options.keepWorkspace,
    openFolder: scratchFolders(join(RUN_FOLDER, 'artifacts')),
    conclude: concludeEntry,
    onWarning: printWarning,
    reporter,
    signal,
  });
  // Half a run says nothing about what it did not reach.
  if (!signal.aborted) await rememberIfPossible(ran);
  const run = concludeRun(ran);
  reporter.finish(run);
  return run.exit_code;
}
