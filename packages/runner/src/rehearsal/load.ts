import { dirname, resolve } from 'node:path';
import {
  isModuleFile,
  isObject,
  locateProblems,
  type Problem,
  readModule,
  readSource,
  type Source,
  type SourceText,
} from '@understudy/kit';
import { loadScenario, readScript, type Scenario, type ScenarioDocument, scenarioSchema } from '@understudy/script';
import type { Check } from '@understudy/verdict';
import { extended } from './bases/extended.js';
import { loadNamedChecks, schemaWith } from './own-checks.js';
import { reviewRehearsal } from './review.js';
import { filledRows } from './rows/filled-rows.js';
import type { RehearsalDocument } from './schema.js';

/** A rehearsal that can be run. */
export interface Rehearsal {
  file: string;
  name: string;
  document: RehearsalDocument;
  /** Its own rules, or those of the scenario file that it names. */
  scenario: Scenario;
  /** Its text, to show the line of an expectation. */
  source: SourceText;
  /** What its module exported: it is played elsewhere without the module. */
  exported?: unknown;
  /** The row of `[[each]]` that it is. */
  row?: OwnRow;
  /** The files that it extends. */
  bases?: readonly SourceText[];
  /** Its own checks, loaded. */
  checks: readonly Check[];
  readonly warnings: Problem[];
}

/** The row of a rehearsal: its number, from 0, and the file of the rows, if they have one. */
interface OwnRow {
  name: string;
  index: number;
  file?: string;
}

/** Loads a rehearsal that has no rows, or its first row. Throws with all of its problems. */
export function loadRehearsal(file: string): Rehearsal {
  const [first] = loadRows(file);
  if (first === undefined) throw new Error(`nothing was loaded from ${file}`);
  return first;
}

/** Loads a rehearsal: one, or one for each row of its `[[each]]`. Throws with all of its problems. */
export function loadRows(file: string): Rehearsal[] {
  return toRows(readRehearsal(file), file);
}

/** Makes the rehearsals of a parsed document: one, or one for each row. */
export function toRows(written: Source, file: string): Rehearsal[] {
  const { source, bases } = extended(written, file);
  const exported = isModuleFile(file) ? { exported: written.value } : {};
  return rowsIn(source, file).map((rehearsal) => Object.assign(rehearsal, exported, bases.length > 0 ? { bases } : {}));
}

function rowsIn(source: Source, file: string): Rehearsal[] {
  const { value } = source;
  const rows = filledRows(source, file, (filled): Rehearsal => {
    const rehearsal = toRehearsal({ ...source, value: filled.value }, file);
    const name = filled.name ?? `${file} [${filled.row.name}]`;
    const each = isObject(value) ? value['each'] : undefined;
    const row: OwnRow = { name: filled.row.name, index: filled.row.index };
    if (typeof each === 'string') row.file = each;
    return Object.assign(rehearsal, { name, row });
  });
  return rows ?? [toRehearsal(source, file)];
}

/** Reads the file of a rehearsal: a document, or a module that exports one. */
export function readRehearsal(file: string): Source {
  return isModuleFile(file) ? readModule(file) : readSource(file);
}

/** Makes a rehearsal of a parsed and filled document that is, or will be, in this file. Throws with all of its problems. */
function toRehearsal({ value, ...source }: Source, file: string): Rehearsal {
  const named = loadNamedChecks(isObject(value) ? value['checks'] : undefined, dirname(file));
  const { document, warnings } = readScript(
    { value, ...source },
    schemaWith(named.checks),
    // What it has from others need not be for it: they are for many.
    (script) =>
      reviewRehearsal(script, file, named.checks).filter(
        ({ code, path }) => code !== 'NO_EFFECT' || source.origin?.(path) === undefined,
      ),
    named.problems,
  );
  const scenario =
    document.scenario === undefined ? ownScenario(document) : loadScenario(resolve(dirname(file), document.scenario));
  return {
    file,
    name: document.name ?? file,
    document,
    scenario,
    source,
    checks: named.checks,
    get warnings() {
      return locateProblems(source, document.scenario === undefined ? warnings : []);
    },
  };
}

/** A path of the rehearsal, from its file. */
export function fromRehearsal({ file }: Pick<Rehearsal, 'file'>, path: string): string {
  return resolve(dirname(file), path);
}

/** What of a rehearsal is its scenario: the rest would be no part of one. */
function ownScenario(document: RehearsalDocument): Scenario {
  const own = Object.entries(document).filter(([name]) => Object.hasOwn(scenarioSchema.shape, name));
  return { document: Object.fromEntries(own) as ScenarioDocument, warnings: [] };
}
