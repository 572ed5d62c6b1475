import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../agents/driver.js';
import { concludeEntry, concludeRun } from '../diagnosis/conclude.js';
import { defined } from '../document/defined.js';
import { partsOfRehearsal, rehearsalEntries } from '../rehearsal/entries.js';
import { findRehearsals } from '../rehearsal/find-rehearsals.js';
import { loadRehearsal, REHEARSAL_ENDING } from '../rehearsal/load.js';
import type { Entry } from '../runner/entry.js';
import { scratchFolders } from '../runner/folders.js';
import { untilInterrupted } from '../runner/interruption.js';
import { RUN_FOLDER } from '../runner/last-run.js';
import { planRun } from '../runner/plan.js';
import { runEntries } from '../runner/run-entries.js';
import { RunFolder } from '../runner/run-folder.js';
import { paint } from '../terminal/paint.js';
import { print, printJson, printWarning } from './output.js';
import { callOptions, mayBeEmpty, openReporter, planOptions, type RunFlags, storeRun } from './run-flags.js';
import { tellIsolation } from './tell-isolation.js';
import { version } from './version.js';
import { watchRuns } from './watch-runs.js';

interface Options extends RunFlags {
  stage?: Stage;
  agent?: string[];
  update?: true;
  list?: true;
}

/** Runs rehearsals and gives the exit code; with `--watch`, until it is interrupted. */
export async function runRehearsals(paths: readonly string[], options: Options): Promise<number> {
  if (options.list) return listRehearsals(paths, options);
  return untilInterrupted(async (signal) => {
    if (options.watch !== true) return runOnce(findRehearsals(paths), options, signal);
    const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
    return watchRuns(options, signal, {
      watched: () => ({
        parts: new Map(findRehearsals(paths).map((file) => [file, partsOfRehearsal(file)])),
        folders,
        isNew: (path) => path.endsWith(REHEARSAL_ENDING),
      }),
      run: (files, flags) => runOnce(files, flags, signal),
    });
  });
}

function entriesOf(files: readonly string[], { agent, stage, update, isolation }: Options): Entry[] {
  return rehearsalEntries(files.map(loadRehearsal), { agents: agent, stage, isolation, updateSnapshots: update });
}

/** What would be run, and where. */
function listRehearsals(paths: readonly string[], options: Options): number {
  const { entries: plan } = planRun(entriesOf(findRehearsals(paths), options), planOptions(options));
  if (options.json === true) {
    printJson(plan.map(({ id, name, file, tags, agent, stage }) => ({ id, name, file, tags, agent, stage })));
    return 0;
  }
  for (const { name, file, tags, agent, stage } of plan) {
    const marks = tags.map((tag) => ` @${tag.replace(/^@/, '')}`).join('');
    print(`${name} ${paint.dim(`${agent} ${stage} ${file}${marks}`)}`);
  }
  print(`\n${plan.length} to run`);
  return 0;
}

async function runOnce(files: readonly string[], options: Options, signal: AbortSignal): Promise<number> {
  const plan = planRun(entriesOf(files, options), planOptions(options));
  const folder = RunFolder.create(options.output);
  await tellIsolation(options);
  const { reporter, exitCode } = openReporter(options, folder.path);
  const ran = await runEntries(plan.entries, {
    run: {
      command: 'run',
      understudy_version: version,
      ...defined({ shard: plan.shard, strict: options.strict }),
    },
    noun: 'rehearsal',
    workers: options.workers,
    retries: options.retries,
    ...(await callOptions(plan.entries, options)),
    maxFailures: options.maxFailures,
    passWithNoTests: mayBeEmpty(options),
    keepWorkspace: options.keepWorkspace,
    openFolder: scratchFolders(join(options.output ?? RUN_FOLDER, 'artifacts'), folder),
    conclude: concludeEntry,
    onWarning: printWarning,
    reporter,
    signal,
  });
  const run = concludeRun(ran);
  await storeRun(run, folder, signal);
  reporter.finish(run);
  return exitCode(run);
}
