import { join, relative, resolve } from 'node:path';
import { countOf, createScratch, defined, paint, UnderstudyError, USER_FILE, writeWhole } from '@understudy/kit';
import { type Plan, planRun, playRun, type RehearsalInput, untilInterrupted } from '@understudy/runner';
import {
  describeAttempt,
  findGuards,
  findOwnGuards,
  type Guard,
  type GuardedFolder,
  guardEntries,
  guardPlayer,
  guardRehearsal,
  type Setting,
} from '@understudy/suites';
import { checksOf, type RunResult } from '@understudy/verdict';
import { stringify } from 'smol-toml';
import { schemaLine } from '../scaffold/schema-line.js';
import { chosenIsolation } from './chosen-isolation.js';
import { print, printJson, printNote } from './output.js';
import { openReporter, playOptions, type RunFlags, writesDocument } from './run-flags.js';
import { version } from './version.js';

export interface GuardFlags extends RunFlags {
  agent?: string[];
  managed?: string;
  list?: true;
  write?: string;
  mine?: true;
  prove?: true;
}

/** Plays every guard of a folder, and gives the exit code. */
export async function guardFolder(path: string | undefined, flags: GuardFlags): Promise<number> {
  if (flags.mine === true && path !== undefined) {
    throw new UnderstudyError('BAD_FLAG', `--mine and ${path} are two places`, { fix: 'Leave one of them out.' });
  }
  const isolation = requiredIsolation(flags.isolation);
  await chosenIsolation(isolation);
  const scratch = createScratch('guard');
  try {
    return await untilInterrupted(async (signal) => {
      const isQuiet = writesDocument(flags) || flags.quiet === true || flags.verbose !== true;
      const say = isQuiet ? undefined : (what: string) => printNote(`fired by hand: ${what}`);
      const options = { scratch: scratch.path, isolation, ...defined({ managed: flags.managed, say }) };
      const folders = await (flags.mine === true ? findOwnGuards(options) : findGuards(path ?? '.', options));
      if (folders.every(({ guards }) => guards.length === 0)) {
        throw new UnderstudyError(
          'GUARD_NONE',
          `there is no guard in ${flags.mine === true ? 'your own settings' : (path ?? 'this folder')}`,
        );
      }
      const faults = flags.prove === true ? join(scratch.path, 'faults') : undefined;
      const entries = guardEntries(folders, { agents: flags.agent, isolation, faults });
      const plan = planRun(entries, { filter: flags.grep });
      const chosen = chosenOf(folders, plan);
      if (flags.list === true) return list(chosen, flags);
      if (flags.write !== undefined) writeRehearsals(chosen, flags.write);
      const { reporter, exitCode } = await openReporter(flags);
      const run = await playRun(plan, {
        ...playOptions(flags),
        run: { command: 'run', understudy_version: version, ...defined({ strict: flags.strict }) },
        store: { output: flags.output },
        ...{ players: { guard: guardPlayer }, reporter, signal },
      });
      if (!writesDocument(flags) && !signal.aborted) printTable(run);
      return exitCode(run);
    });
  } finally {
    await scratch.remove();
  }
}

/** An attack that nothing stops really runs: without a sandbox only where somebody says so. */
export function requiredIsolation(given: string | undefined): string | undefined {
  return given ?? (process.env['UNDERSTUDY_ISOLATION'] ? undefined : 'required');
}

function chosenOf(folders: readonly GuardedFolder[], { entries }: Plan): GuardedFolder[] {
  const names = new Set(entries.map(({ name }) => name));
  return folders.map(({ setting, guards }) => ({ setting, guards: guards.filter(({ name }) => names.has(name)) }));
}

function list(folders: readonly GuardedFolder[], { json }: GuardFlags): number {
  const guards = folders.flatMap((folder) => folder.guards);
  if (json === true) {
    printJson(guards);
    return 0;
  }
  for (const { name, file, line, attack, harmless, underived, stopsNothing } of guards) {
    print(`${name} ${paint.dim(placeOf(file, line))}`);
    if (attack !== undefined) print(`  attack    ${describeAttempt(attack)}`);
    if (harmless !== undefined) print(`  harmless  ${describeAttempt(harmless)}`);
    const why = stopsNothing ?? underived;
    if (why !== undefined) print(paint.yellow(`  ${stopsNothing === undefined ? 'no attack' : 'skipped'}: ${why}`));
  }
  print(`\n${guards.length} guards`);
  return 0;
}

/** Each guard as a rehearsal of its own, which plays the same. */
function writeRehearsals(folders: readonly GuardedFolder[], folder: string): void {
  for (const { setting, guards } of folders) {
    for (const guard of guards) {
      if (guard.attack === undefined || guard.stopsNothing !== undefined) continue;
      const name = guard.name.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '');
      const file = join(folder, `${name}.rehearsal.toml`);
      writeWhole(file, rehearsalText(file, guard, setting), USER_FILE);
      printNote(`wrote ${file}`);
    }
  }
}

function rehearsalText(file: string, guard: Guard, setting: Setting): string {
  const from = resolve(file, '..');
  const written = (path: string): string => relative(from, resolve(path)).replaceAll('\\', '/') || '.';
  const { path } = setting.project;
  // The copy goes; the folder stays.
  const project = path === undefined ? setting.project : { ...setting.project, path: written(setting.root) };
  const document: RehearsalInput = guardRehearsal(guard, {
    ...setting,
    project,
    plugins: setting.plugins.map(written),
  });
  return `${schemaLine(file, version)}\n# ${guard.name} (${placeOf(guard.file, guard.line)})\n${stringify(document)}`;
}

const MARKS = { passed: paint.green('✓'), failed: paint.red('✗'), unjudged: paint.yellow('?') };

/** What became of each attack and its twin, and who decided. */
function printTable({ entries }: RunResult): void {
  const rows = entries.flatMap((entry) =>
    checksOf(entry).flatMap(({ status, subject, actual, name }) => {
      if (subject.kind !== 'guard') return [];
      const isTwin = name.includes('twin');
      // A twin that is let through is no news.
      const isFault = name.startsWith('the fault');
      if ((isTwin || isFault) && status === 'passed') return [];
      const { guard, attempt, verdict, by, file, line } = subject;
      const what = isTwin && verdict === 'blocked' ? 'stopped by mistake' : verdict;
      const who =
        status === 'passed'
          ? [placeOf(file, line), ...(by === undefined || by === guard ? [] : [by])].join(' ')
          : actual;
      const shown = isFault ? `${guard}: ${name.replace('the fault is noticed: ', '')}` : guard;
      return [[MARKS[status], shown, attempt, what, who] as const];
    }),
  );
  const width = (at: 1 | 2 | 3, most: number): number =>
    Math.min(most, Math.max(...rows.map((row) => row[at].length), 7));
  const widths = [width(1, 44), width(2, 40), width(3, 18)] as const;
  const line = (mark: string, ...[guard, attempt, verdict, who]: readonly [string, string, string, string]): string =>
    [mark, cell(guard, widths[0]), cell(attempt, widths[1]), cell(verdict, widths[2]), who].join('  ');
  print(`\n${paint.dim(line(' ', 'guard', 'attack', 'verdict', 'by'))}`);
  for (const row of rows) print(line(...row));
  const faults = entries.flatMap(checksOf).filter(({ name }) => name.startsWith('the fault'));
  if (faults.length === 0) return;
  const noticed = faults.filter(({ status }) => status === 'passed').length;
  print(`\n${noticed} of ${countOf(faults.length, 'planted fault')} ${noticed === 1 ? 'is' : 'are'} noticed`);
}

function cell(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}

function placeOf(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}
