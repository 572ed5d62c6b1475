export { configJsonSchema, type ProjectConfig, readProjectConfig, useOwnAgents } from './src/config/project-config.js';
export { describeTurn, normalize } from './src/rehearsal/describe-turn.js';
export {
  type EntryDefaults,
  type EntryOptions,
  entryFolderName,
  entryId,
  markOf,
  partsOfRehearsal,
  rehearsalEntries,
  rerunFlags,
} from './src/rehearsal/entries.js';
export { findFiles, findRehearsals } from './src/rehearsal/find-rehearsals.js';
export { rehearsalFileFor, rehearsalFromCassette } from './src/rehearsal/from-cassette/from-cassette.js';
export { readExchange, turnsOf } from './src/rehearsal/from-cassette/turns.js';
export { fromRehearsal, loadRehearsal, loadRows, type Rehearsal, toRows } from './src/rehearsal/load.js';
export { isBroken, loadRehearsals } from './src/rehearsal/load-files.js';
export { logCalls, logRun, programStep } from './src/rehearsal/log-run.js';
export { loadNamedChecks } from './src/rehearsal/own-checks.js';
export { playableRehearsals, rehearsalPlayer } from './src/rehearsal/player.js';
export { prepareProject } from './src/rehearsal/prepare-project.js';
export { readableNextToRehearsal } from './src/rehearsal/readable-next-to.js';
export { rowAt } from './src/rehearsal/rows/row-at.js';
export { runRehearsal } from './src/rehearsal/run-rehearsal.js';
export {
  isRunStep,
  type ProjectDescription,
  projectSchema,
  type RehearsalInput,
  sendStepsOf,
} from './src/rehearsal/schema.js';
export {
  chosenTargets,
  type Place,
  type Places,
  placesOf,
  type Target,
  withoutModels,
} from './src/rehearsal/targets.js';
export { turnStep } from './src/rehearsal/turn-step.js';
export type { CallBudget } from './src/run/call-budget.js';
export {
  baseOf,
  type Entry,
  mayVary,
  type Playable,
  type PlayContext,
  type Played,
  type Player,
  sentEntry,
} from './src/run/entry.js';
export { compileFilter } from './src/run/filter.js';
export { sweepFolderLock, withFolderLock } from './src/run/folder-lock.js';
export { type EntryFolder, folderNameOf, scratchFolders } from './src/run/folders.js';
export { addToHistory, readHistory } from './src/run/history.js';
export { untilInterrupted } from './src/run/interruption.js';
export { keyOf, lastDurations, lastFailed, RUN_FOLDER, rememberRun } from './src/run/last-run.js';
export { type Plan, type PlanOptions, planRun } from './src/run/plan.js';
export { endRun, playRun, storeRun } from './src/run/play-run.js';
export { rateWithout } from './src/run/rate.js';
export { INTERRUPTED_REASON } from './src/run/run-entries.js';
export { latestRun, RESULT_FILE, RunFolder, readRun, type StoredRun, sweepRuns } from './src/run/run-folder.js';
export type { ShardNumber } from './src/run/shards.js';
export { Watch, type Watched } from './src/run/watch.js';
export { keyboard, watchAndRun } from './src/run/watch-and-run.js';
export { WATCH_KEYS } from './src/run/watch-keys.js';
export { type Bundle, linkOwnPackage, makeBundle, placeFile, placeLink } from './src/travel/bundle.js';
export { describeReproduction, isRepro, type OpenedRepro, openRepro, refuseOutside } from './src/travel/open-repro.js';
export { readRepro } from './src/travel/repro-file.js';
export { touchedBy } from './src/travel/touched.js';
export { makeTrajectory } from './src/travel/trajectory.js';
export { travelParts } from './src/travel/travel-parts.js';
export { makeRepro } from './src/travel/write-repro.js';
export { Board } from './src/ui/board.js';
export { serveBoard } from './src/ui/server.js';
