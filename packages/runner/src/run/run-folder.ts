import {
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatHolder,
  hasEnded,
  inWords,
  isNear,
  makeFolder,
  ownHolder,
  parseHolder,
  refuseLinks,
  UnderstudyError,
  writeOwnFile,
} from '@understudy/kit';
import { jsonPieces, type RunResult, runResultSchema } from '@understudy/verdict';
import { JOURNAL_FILE } from './journal.js';
import { RUN_FOLDER } from './last-run.js';

const RUNS = 'runs';
const LOGS = 'logs';
export const RESULT_FILE = 'result.json';
/** Older ones go. */
const KEPT_RUNS = 5;

const PRIVATE = 0o700;

/** Where a run keeps its result and the logs of its entries, for reports. It is made when there is something to keep. */
export class RunFolder {
  readonly path: string;
  readonly #root: string;
  readonly #isNamed: boolean;
  #isPrepared = false;
  /** Older runs, while they are removed. */
  #leaving: Promise<void> = Promise.resolve();

  private constructor(path: string, root: string, isNamed: boolean) {
    this.path = path;
    this.#root = root;
    this.#isNamed = isNamed;
  }

  /** A folder of its own below `.understudy`, or the one that the user named. */
  static create(output: string | undefined, root = RUN_FOLDER): RunFolder {
    if (output !== undefined) {
      makeFolder(output);
      // The logs of an earlier run belong to its result, which goes, too.
      if (existsSync(join(output, RESULT_FILE))) rmSync(join(output, LOGS), { recursive: true, force: true });
      return new RunFolder(output, root, true);
    }
    try {
      sweepRuns(root);
    } catch {
      // The folder is a link or cannot be read: `store` reports it.
    }
    const time = new Date().toISOString().replace(/[:.]/g, '-');
    return new RunFolder(join(root, RUNS, `${time}-${formatHolder(ownHolder())}`), root, false);
  }

  /** The folder of a run that was killed, to go on with it. */
  static reopen(path: string, output: string | undefined, root = RUN_FOLDER): RunFolder {
    return new RunFolder(path, root, output !== undefined);
  }

  /** Makes the folder, if nothing is there that leads elsewhere. */
  prepare(): void {
    if (!this.#isNamed) refuseLinks(this.#root, join(this.#root, RUNS));
    makeFolder(this.path, PRIVATE);
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    if (!this.#isNamed) writeOwnFile(join(this.#root, '.gitignore'), '*\n');
    // While this run is played, because some file systems make every rmdir wait. What fails is tried again by `store`.
    this.#leaving = this.#removeOlder().catch(() => {});
  }

  /** Takes the event logs of an entry, as copies where they are still needed, and returns where they are, from this folder. */
  keepLogs(from: string, name: string, copies: boolean): string | undefined {
    const events = join(from, 'events.jsonl');
    if (!isPlain(events)) return undefined;
    const folder = join(LOGS, name);
    if (!this.#isNamed) refuseLinks(this.#root, join(this.#root, RUNS));
    rmSync(join(this.path, folder), { recursive: true, force: true });
    makeFolder(join(this.path, folder), PRIVATE);
    const take = copies ? copyFileSync : moveFile;
    take(events, join(this.path, folder, 'events.jsonl'));
    const project = join(from, 'project.json');
    if (isPlain(project)) take(project, join(this.path, folder, 'project.json'));
    const requests = join(from, 'requests.jsonl');
    if (isPlain(requests)) {
      writeFileSync(join(this.path, folder, 'requests.jsonl'), withoutBodies(readFileSync(requests, 'utf8')), {
        mode: 0o600,
      });
    }
    return folder;
  }

  /** Stores the result. The last few of the older runs stay. */
  async store(run: RunResult): Promise<void> {
    this.prepare();
    writeOwnFile(join(this.path, RESULT_FILE), jsonPieces(run));
    await this.#leaving;
    await this.#removeOlder();
    sweepRuns(this.#root);
  }

  /** Leaves the last few, this one among them unless it is elsewhere. */
  async #removeOlder(): Promise<void> {
    const others = storedRuns(this.#root).filter((path) => path !== this.path);
    for (const path of others.slice(this.#isNamed ? KEPT_RUNS : KEPT_RUNS - 1)) {
      await rm(path, { recursive: true, force: true });
    }
  }

  /** Half a run is not kept, unless some of its entries have ended. A folder that the user named stays. */
  discard(): void {
    if (this.#isNamed || existsSync(join(this.path, JOURNAL_FILE))) return;
    rmSync(this.path, { recursive: true, force: true });
    for (const folder of [join(this.#root, RUNS), this.#root]) removeIfEmpty(folder);
  }
}

/** A link or a FIFO that an agent put there is not taken. */
function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The temp folder is often on another file system. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not there, or there is something in it.
  }
}

/** Every request repeats the whole conversation; what is new in it stands beside the body. */
function withoutBodies(journal: string): string {
  return journal
    .split('\n')
    .map((line) => {
      try {
        const { body: _, headers: _headers, ...rest } = JSON.parse(line) as Record<string, unknown>;
        return JSON.stringify(rest);
      } catch {
        return '';
      }
    })
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}

/** The folders of runs that have ended, the newest first. */
export function storedRuns(root = RUN_FOLDER): string[] {
  return allRuns(root).filter((path) => existsSync(join(path, RESULT_FILE)));
}

/** The folders of runs that were killed or interrupted, the newest first. */
export function unfinishedRuns(root = RUN_FOLDER): string[] {
  return allRuns(root).filter((path) => !existsSync(join(path, RESULT_FILE)) && isAbandoned(path));
}

/**
 * Removes what killed runs left, and returns which it was. The newest stays if it has a journal and no later run has
 * ended: `run --resume` goes on with it.
 */
export function sweepRuns(root = RUN_FOLDER, { keepNewest = true } = {}): string[] {
  const newest = keepNewest ? allRuns(root)[0] : undefined;
  const left = unfinishedRuns(root).filter((path) => path !== newest || !existsSync(join(path, JOURNAL_FILE)));
  for (const path of left) rmSync(path, { recursive: true, force: true });
  return left;
}

function allRuns(root: string): string[] {
  const folder = join(root, RUNS);
  if (!existsSync(folder)) return [];
  refuseLinks(root, folder);
  return readdirSync(folder)
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

const LONGEST_RUN_MS = 24 * 60 * 60_000;

/** Its process has ended; of one on another machine, that it is old. */
function isAbandoned(path: string): boolean {
  const holder = parseHolder(/Z-(.+)$/.exec(path)?.[1] ?? '');
  if (holder !== undefined && isNear(holder)) return hasEnded(holder);
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LONGEST_RUN_MS;
}

/** A stored result, and the folder from which its logs are found. */
export interface StoredRun {
  run: RunResult;
  folder: string;
}

/** Reads a result: a file, or a folder with one. */
export function readRun(path: string): StoredRun {
  const file = path.endsWith('.json') ? path : join(path, RESULT_FILE);
  let problem: string;
  try {
    const parsed = runResultSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')), inWords);
    if (parsed.success) return { run: parsed.data, folder: join(file, '..') };
    const [issue] = parsed.error.issues;
    problem = `${issue?.path.join('.')}: ${issue?.message}`;
  } catch (cause) {
    problem = (cause as Error).message;
  }
  throw new UnderstudyError('RESULT_UNREADABLE', `${file} is no result of a run: ${problem}`, {
    fix: 'Name a folder that `--output` wrote, or its result.json.',
    location: { file },
  });
}

/** The newest stored run, or the one before it. */
export function latestRun(back = 0, root = RUN_FOLDER): StoredRun {
  const path = storedRuns(root)[back];
  if (path !== undefined) return readRun(path);
  throw new UnderstudyError(
    'NO_RUN_YET',
    back === 0 ? `there is no run in ${root}` : `there are not ${back + 1} runs in ${root}`,
    { fix: 'Run `understudy run` first, or name a result.' },
  );
}
