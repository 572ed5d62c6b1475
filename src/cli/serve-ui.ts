import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '@understudy/agents';
import { describeError, hasBrowser, openBrowser, refreshParts } from '@understudy/kit';
import {
  Board,
  type EntryDefaults,
  RUN_FOLDER,
  RunFolder,
  serveBoard,
  storeRun,
  type Target,
  untilInterrupted,
  Watch,
} from '@understudy/runner';
import { writeLivePage } from '@understudy/verdict';
import { openSuites, testsAt } from '../public/run-paths.js';
import { print, printWarning } from './output.js';
import { portFrom } from './port.js';
import { version } from './version.js';
import { watchedAt } from './watched-at.js';

export interface UiOptions {
  stage?: Stage;
  agent?: string[];
  model?: string[];
  targets?: readonly Target[];
  workers?: number;
  port: string;
  open: boolean;
  isolation?: string;
  /** For rehearsals that do not say it themselves. */
  defaults: EntryDefaults;
  /** The modules of the user's suites. */
  suites?: string[] | undefined;
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
        await storeRun(run, folder, { signal, onWarning: printWarning });
        isStored = true;
      },
    });
    const server = await serveBoard(board, writeLivePage(), portFrom(options.port));
    print(`understudy ui: ${server.address}`);
    print('watching; Ctrl-C ends');
    if (options.open && hasBrowser(process.env)) openBrowser(server.address);
    try {
      await rerunChanged(paths, options, board, signal);
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

/** A broken file is reported before anything runs; when it is asked to run, it is an error. */
function load(paths: readonly string[], { agent, stage, model, targets, isolation, defaults, suites }: UiOptions) {
  const options = { agents: agent, stage, models: model, targets, isolation, defaults };
  const playable = testsAt(paths, options, openSuites(suites));
  const problems = playable.entries.flatMap(({ broken }) => (broken === undefined ? [] : describeError(broken)));
  return { ...playable, problems };
}

async function rerunChanged(
  paths: readonly string[],
  { suites }: UiOptions,
  board: Board,
  signal: AbortSignal,
): Promise<void> {
  const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  while (!signal.aborted) {
    const watch = new Watch(watchedAt(paths, folders, openSuites(suites)));
    try {
      const touched = await watch.touched(signal);
      if (touched === undefined) return;
      await refreshParts();
      board.refresh();
      board.run(board.idsOf(touched.names));
    } finally {
      watch.close();
    }
  }
}
