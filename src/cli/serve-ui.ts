import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../agents/driver.js';
import { describeError } from '../document/describe-error.js';
import { isRehearsalFile } from '../document/endings.js';
import { hasBrowser, openBrowser } from '../process/open-browser.js';
import { partsOfRehearsal, rehearsalEntries } from '../rehearsal/entries.js';
import { findRehearsals } from '../rehearsal/find-rehearsals.js';
import { loadRehearsals } from '../rehearsal/load-files.js';
import { writeLivePage } from '../reporters/html/write-html.js';
import { untilInterrupted } from '../runner/interruption.js';
import { RUN_FOLDER } from '../runner/last-run.js';
import { RunFolder } from '../runner/run-folder.js';
import { Watch } from '../runner/watch.js';
import { Board } from '../ui/board.js';
import { serveBoard } from '../ui/server.js';
import { print } from './output.js';
import { portFrom } from './port.js';
import { storeRun } from './run-flags.js';
import { version } from './version.js';

export interface UiOptions {
  stage?: Stage;
  agent?: string[];
  workers?: number;
  port: string;
  open: boolean;
}

/** Serves the page on loopback, and runs what a click or a changed file asks for, until it is interrupted. */
export async function serveUi(paths: readonly string[], options: UiOptions): Promise<number> {
  let isAsked = false;
  process.once('SIGTERM', () => {
    isAsked = true;
  });
  const code = await untilInterrupted(async (signal) => {
    const folder = RunFolder.create(undefined);
    let isStored = false;
    const board = new Board({
      load: () => load(paths, options),
      ...{ folder, version, workers: options.workers, artifacts: join(RUN_FOLDER, 'artifacts') },
      async onRound(run) {
        await storeRun(run, folder, signal);
        isStored = true;
      },
    });
    const server = await serveBoard(board, writeLivePage(), portFrom(options.port));
    print(`understudy ui: ${server.address}`);
    print('watching; Ctrl-C ends');
    if (options.open && hasBrowser(process.env)) openBrowser(server.address);
    try {
      await rerunChanged(paths, board, signal);
    } finally {
      await board.end();
      await server.close();
      // Logs without a result are of no use to anybody.
      if (!isStored) folder.discard();
    }
    return 0;
  });
  // A server that is asked to end has done its work.
  return isAsked ? 0 : code;
}

/** A broken file is told before anything runs; when it is asked to run, it is an error. */
function load(paths: readonly string[], { agent, stage }: UiOptions) {
  const entries = rehearsalEntries(loadRehearsals(findRehearsals(paths)), { agents: agent, stage });
  return { entries, problems: entries.flatMap(({ broken }) => (broken === undefined ? [] : describeError(broken))) };
}

async function rerunChanged(paths: readonly string[], board: Board, signal: AbortSignal): Promise<void> {
  const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  while (!signal.aborted) {
    const watch = new Watch({
      parts: new Map(findRehearsals(paths).map((file) => [file, partsOfRehearsal(file)])),
      folders,
      isNew: isRehearsalFile,
    });
    try {
      const touched = await watch.touched(signal);
      if (touched === undefined) return;
      board.refresh();
      board.run(board.idsOf(touched.names));
    } finally {
      watch.close();
    }
  }
}
