import { relative, resolve } from 'node:path';
import {
  configFile,
  countOf,
  fileOfPlace,
  InvalidDocumentError,
  ownCommand,
  type Problem,
  paint,
  UnderstudyError,
} from '@understudy/kit';
import { unifiedDiff } from '@understudy/stage';
import type { Finding } from '@understudy/verdict';
import { type CheckedDocument, checkDocument, documentsAt } from '../document-check/check-document.js';
import { type Mended, mendDocument } from '../document-check/mend-document.js';
import { findingsReporters, showFindings } from './findings.js';
import { EXIT_HARNESS_ERROR } from './main.js';
import { formatProblem, print } from './output.js';

export interface CheckOptions {
  json?: boolean;
  reporter?: string;
  strict?: boolean;
  fix?: boolean;
  diagram?: 'text' | 'mermaid';
}

/** Validates files and prints the problems of each. The exit code is 1 if there is one; 2 if a module of the user is broken. */
export async function checkDocuments(
  paths: readonly string[],
  { json, reporter, strict = false, fix = false, diagram }: CheckOptions,
): Promise<number> {
  const reporters = findingsReporters(reporter, json);
  const files = paths.map(fileOfPlace);
  const suites = await ownSuites();
  const documents = files.flatMap(documentsAt).filter((file) => suites?.takes(file) !== true);
  const mended = fix ? await mendAll(documents) : [];
  const checked = [...(await Promise.all(documents.map(checkDocument))), ...(suites?.check(files) ?? [])];
  const config = await brokenConfig(checked);
  if (config !== undefined) checked.unshift(config);
  if (checked.length === 0) {
    throw new UnderstudyError(
      'NOTHING_TO_CHECK',
      `there is no scenario, rehearsal, workflow or contract in ${paths.join(', ')}`,
      {
        fix: 'Name a file, or a folder with such files.',
      },
    );
  }
  const ok = checked.every((file) => file.ok && !(strict && file.warnings.length > 0));
  showFindings(reporters, {
    list() {
      for (const one of mended) printMended(one);
      for (const file of checked) printChecked(file, diagram);
      const count = checked.flatMap(({ errors }) => errors).filter(({ new_name }) => new_name !== undefined).length;
      if (count > 0 && !fix)
        print(paint.dim(`${countOf(count, 'problem')} can be mended by \`${ownCommand()} check --fix\``));
    },
    document: { ok, files: checked, ...(fix ? { mended: mended.map(describeMended) } : {}) },
    findings: () =>
      checked.flatMap(({ file, errors, warnings }) => [
        ...errors.map((problem) => findingOf(problem, file, 'error')),
        ...warnings.map((problem) => findingOf(problem, file, strict ? 'error' : 'warning')),
      ]),
  });
  if (ok) return 0;
  return checked.some(({ errors }) => errors.some(({ code }) => code.startsWith('PART_'))) ? EXIT_HARNESS_ERROR : 1;
}

/** The suites of the user, if there are any: to load what runs them takes longer than most checks. */
async function ownSuites() {
  if (configFile() === undefined) return undefined;
  const { readProjectConfig } = await import('@understudy/runner');
  const modules = suitesOf(readProjectConfig);
  if (modules === undefined) return undefined;
  const { openSuites } = await import('../public/run-paths.js');
  const { checkSuites } = await import('../document-check/check-suites.js');
  const suites = openSuites(modules);
  return {
    takes: (file: string) => suites.takes(file),
    check: (paths: readonly string[]) => checkSuites(suites, paths),
  };
}

/** What is wrong with the file is a finding of its own. */
function suitesOf(read: () => { suites?: string[] | undefined }): string[] | undefined {
  try {
    return read().suites;
  } catch (error) {
    if (error instanceof InvalidDocumentError) return undefined;
    throw error;
  }
}

/** One file after the other: two may extend the same one. */
async function mendAll(files: readonly string[]): Promise<Mended[]> {
  const mended = new Map<string, Mended>();
  for (const one of files) {
    for (const { file, before, after } of await mendDocument(one))
      mended.set(file, { file, before: mended.get(file)?.before ?? before, after });
  }
  return [...mended.values()];
}

function describeMended({ file, before, after }: Mended): { file: string; diff: string } {
  return { file: relative('.', file), diff: unifiedDiff(before, after) };
}

function printMended(one: Mended): void {
  const { file, diff } = describeMended(one);
  print(`${paint.green('mended')} ${file}`);
  for (const line of diff.trimEnd().split('\n'))
    print(line.startsWith('+') ? paint.green(line) : line.startsWith('-') ? paint.red(line) : paint.dim(line));
  print();
}

/** An understudy.toml that is not among the files, and broken: what it says of agents and defaults is missing in them. */
async function brokenConfig(checked: readonly CheckedDocument[]): Promise<CheckedDocument | undefined> {
  const file = configFile();
  if (file === undefined || checked.some((one) => resolve(one.file) === resolve(file))) return undefined;
  const config = await checkDocument(file);
  return config.ok ? undefined : config;
}

function findingOf({ code, message, fix, location }: Problem, file: string, level: Finding['level']): Finding {
  return { rule: code, level, message, fix, file: location.file ?? file, line: location.line, column: location.column };
}

function printChecked(
  { file, kind, ok, summary, errors, warnings, refused_on_sim: refused = [], diagram }: CheckedDocument,
  draw: CheckOptions['diagram'],
): void {
  print(`${ok ? paint.green('✓') : paint.red('✗')} ${file} ${paint.dim(`${kind}, ${summary}`)}`);
  for (const problem of errors) print(formatProblem(problem, 'red'));
  for (const problem of warnings) print(formatProblem(problem, 'yellow'));
  for (const { message, location } of refused)
    print(paint.dim(`  needs --stage scripted: ${message} (line ${location.line ?? 1})`));
  if (draw !== undefined && diagram !== undefined) print(`\n${diagram[draw].trimEnd()}`);
  if (errors.length + warnings.length > 0 || (draw !== undefined && diagram !== undefined)) print();
}
