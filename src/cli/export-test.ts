import {
  countOf,
  REPRO_ENDING,
  redactAll,
  rehearsalStem,
  UnderstudyError,
  USER_FILE,
  writeWhole,
} from '@understudy/kit';
import { secretRemover } from '@understudy/model';
import { compileFilter, latestRun, makeRepro, makeTrajectory, readRun, type StoredRun } from '@understudy/runner';
import { type EntryResult, isRed } from '@understudy/verdict';
import { print, printNote } from './output.js';

export interface ExportFlags {
  format?: 'repro' | 'atif';
  output?: string;
  bundle?: string[];
  without?: string[];
}

/** Writes one file with which anybody plays a test of a run, or one with what was said in it. */
export function exportTest(test: string | undefined, path: string | undefined, flags: ExportFlags): number {
  const { format, bundle, without } = flags;
  if (format === 'atif' && (bundle !== undefined || without !== undefined)) {
    throw new UnderstudyError(
      'BAD_FLAG',
      `--${bundle === undefined ? 'without' : 'bundle'} does nothing with --format atif`,
      {
        fix: 'Leave it out: a trajectory has no files in it.',
      },
    );
  }
  const stored = path === undefined ? latestRun() : readRun(path);
  const entry = chosenTest(stored, test);
  if (format === 'atif') return writeTrajectory(entry, stored, flags);
  const repro = makeRepro(entry, stored, flags);
  const file = flags.output ?? `${fileNameOf(entry)}${REPRO_ENDING}`;
  if (!file.endsWith(REPRO_ENDING)) {
    throw new UnderstudyError('BAD_FLAG', `--output ${file} is not known as an exported test`, {
      fix: `Let it end with ${REPRO_ENDING}.`,
    });
  }
  write(file, repro);
  print(`${file}: ${countOf(repro.files.length, 'file')}. Anybody plays it with \`npx agent-understudy run ${file}\``);
  for (const { path: left, reason } of repro.left_out) printNote(`left out: ${left}: ${reason}`);
  for (const changed of repro.redacted) printNote(`secrets replaced: ${changed}`);
  return 0;
}

function writeTrajectory(entry: EntryResult, stored: StoredRun, { output }: ExportFlags): number {
  const file = output ?? `${fileNameOf(entry)}.trajectory.json`;
  const trajectory = redactAll(makeTrajectory(entry, stored), secretRemover(process.env));
  write(file, trajectory);
  print(
    `${file}: ${countOf(trajectory.steps.length, 'step')} of ${trajectory.agent.name}, ${trajectory.schema_version}`,
  );
  return 0;
}

function write(file: string, document: object): void {
  writeWhole(file, `${JSON.stringify(document, undefined, 2)}\n`, USER_FILE);
}

/** The test that is meant: of several with these words, the red one. */
function chosenTest({ run }: StoredRun, test: string | undefined): EntryResult {
  const isMeant = compileFilter(test);
  const unique = new Map(run.entries.filter((entry) => isMeant(entry)).map((entry) => [entry.id, entry]));
  // With --repeat it is there several times.
  for (const entry of run.entries) if (unique.has(entry.id) && isRed(entry)) unique.set(entry.id, entry);
  const meant = [...unique.values()];
  const red = meant.filter(isRed);
  const [chosen, ...others] = red.length > 0 || test === undefined ? red : meant;
  if (chosen === undefined) {
    const what = test === undefined ? 'no test of the run is red' : `the run has no test with ${JSON.stringify(test)}`;
    throw new UnderstudyError('EXPORT_REFUSED', what, { fix: 'Name a test, as `understudy report show` lists them.' });
  }
  if (others.length === 0) return chosen;
  const names = [chosen, ...others].slice(0, 5).map(({ id }) => JSON.stringify(id));
  throw new UnderstudyError('EXPORT_REFUSED', `${red.length || meant.length} tests are meant: ${names.join(', ')}`, {
    fix: 'Name one of them by its id, with the agent and the stage in it.',
  });
}

function fileNameOf({ file = '', id }: EntryResult): string {
  const stem = rehearsalStem(file);
  const row = /\[(.+)\] \S+ \S+$/.exec(id)?.[1];
  return row === undefined ? stem : `${stem}.${row.replace(/[^\w-]+/g, '-').slice(0, 40)}`;
}
