export { awaitPart, endWithParts } from './src/document/await-part.js';
export { callPart } from './src/document/call-part.js';
export { codeFrame, linesOf } from './src/document/code-frame.js';
export { configFile, configFileOf, configFlag, searchConfigFor, useConfigFile } from './src/document/config-file.js';
export { countOf } from './src/document/count-of.js';
export { defined } from './src/document/defined.js';
export { describeError, describeProblem } from './src/document/describe-error.js';
export {
  CONFIG_FILE,
  CONTRACT_ENDING,
  GUARD_FILE,
  isModuleFile,
  isRehearsalFile,
  REHEARSAL_ENDING,
  REPRO_ENDING,
  rehearsalStem,
} from './src/document/endings.js';
export { field, renamedField, required } from './src/document/field.js';
export { fileOfPlace, placeIn } from './src/document/file-of-place.js';
export { FORMAT, refuseNewerFormat } from './src/document/format-version.js';
export { filesOfPart, importPart, refreshParts, requirePart } from './src/document/import-part.js';
export { inWords } from './src/document/in-words.js';
export { isInside } from './src/document/inside.js';
export {
  isObject,
  isStringList,
  type JsonObject,
  parseJson,
  readIfThere,
  textOrEmpty,
  withoutComments,
} from './src/document/json.js';
export { isCompiled, lazyRequire } from './src/document/lazy-require.js';
export { createLocator } from './src/document/locate.js';
export { editDistance, nearestWord } from './src/document/nearest.js';
export { checkStamp, importStamped, type Stamped, stampPart } from './src/document/own-part.js';
export { formatPath, type Path } from './src/document/path.js';
export { locateProblems, type UnlocatedProblem } from './src/document/problems.js';
export { readModule, readModules } from './src/document/read-modules.js';
export { renameField } from './src/document/rename-field.js';
export { parseSource, readSource, readText, type Source, type SourceText } from './src/document/source.js';
export { validate } from './src/document/validate.js';
export { errorCodes } from './src/error-codes/error-codes.js';
export {
  type ErrorCode,
  formatLocation,
  InvalidDocumentError,
  type Problem,
  type SourceLocation,
  UnderstudyError,
} from './src/errors.js';
export { isLoopback, listen, originOf, refuseGarbage } from './src/http/address.js';
export {
  checkJsonDepth,
  JsonTooDeep,
  MAX_JSON_DEPTH,
  skipSpace,
  skipValue,
  stringEnd,
  textEnd,
} from './src/http/json-scan.js';
export { bearerOf, RequestGuard, type RequestRefusal } from './src/http/request-guard.js';
export { checkSecret, freshSecret } from './src/http/secret.js';
export { BoundedText } from './src/process/bounded-text.js';
export { Child, type ChildOptions, type Exit } from './src/process/child.js';
export { adoptGroup, exitOnSignals, killGroup } from './src/process/child-groups.js';
export { dockerClient, removeContainers } from './src/process/containers.js';
export type { Enclosed, Enclosure, PlainExit } from './src/process/enclosure.js';
export { ENDING_NAME } from './src/process/ending.js';
export { type Environment, scrubbedEnvironment } from './src/process/environment.js';
export { executablesOnPath, isExecutable } from './src/process/executable.js';
export { describeLeftovers } from './src/process/find-leftovers.js';
export { type ForegroundExit, type ForegroundOptions, runInForeground } from './src/process/foreground.js';
export { formatHolder, type Holder, hasEnded, isNear, ownHolder, parseHolder } from './src/process/holder.js';
export { keepRunningFor, letProcessEnd } from './src/process/keep-running.js';
export { withLimitMark } from './src/process/limit-mark.js';
export { LineReader } from './src/process/line-reader.js';
export { removeAbandonedLock, withLock } from './src/process/lock.js';
export { withLockSync } from './src/process/lock-sync.js';
export { makeFolder } from './src/process/make-folder.js';
export { nativeProgram, startCompiled } from './src/process/native-program.js';
export { offlineEnvironment, offlineGit, offlineThrough } from './src/process/offline.js';
export { hasBrowser, openBrowser } from './src/process/open-browser.js';
export {
  defaultOutputLimits,
  describeCut,
  OutputBudget,
  type OutputCut,
  type OutputLimits,
  RUN_OUTPUT_BYTES,
} from './src/process/output-budget.js';
export { ownCommand } from './src/process/own-command.js';
export { refuseLinks, writeOwnFile } from './src/process/own-folder.js';
export { findOwnFile, ownFile, ownProgram } from './src/process/own-program.js';
export { isOwned, markChild, variableOf } from './src/process/owner-mark.js';
export {
  describeProcess,
  isAlive,
  killAllOf,
  livingProcessesOf,
  processesUsing,
  type StartedProcess,
  startedBy,
} from './src/process/process-table.js';
export type { ProgramEnd } from './src/process/program-end.js';
export { readFrom, takePipes } from './src/process/real-pipe.js';
export { REAPER_NAME, reapIfLeft, releaseFromReaper } from './src/process/reaper.js';
export { redactAll, redactor, secretValues } from './src/process/redact.js';
export { type Outcome, runToEnd } from './src/process/run-to-end.js';
export { runWithInput } from './src/process/run-with-input.js';
export {
  createScratch,
  createTempFolder,
  isScratch,
  type Scratch,
  sweepScratch,
  TEMP_FOLDER,
} from './src/process/scratch.js';
export { shellWord } from './src/process/shell-word.js';
export { asUnderstudyError } from './src/process/system-error.js';
export { runAllSteps, waitForAll } from './src/process/teardown.js';
export { tellingLine } from './src/process/telling-line.js';
export { describeUnreadable, type Unreadable, UntrustedFolder } from './src/process/untrusted-folder.js';
export { removeIfPossible, USER_FILE, writeWhole } from './src/process/write-whole.js';
export { cut, cutLines, cutTexts, oneSpaced, shorten, shortenLine, shortenMiddle } from './src/terminal/cut.js';
export { forTerminal, paint, withoutColors } from './src/terminal/paint.js';
export { asNumber, visible, visibleJson, visibleOnOneLine } from './src/terminal/visible.js';
