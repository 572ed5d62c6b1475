import { dirname, resolve } from 'node:path';
import { isObject, locateProblems, type Problem, readSource, type Source, type SourceText } from '@understudy/kit';
import { loadScenario, readScript, type Scenario } from '@understudy/script';
import type { Check } from '@understudy/verdict';
import { loadNamedChecks, schemaWith } from './own-checks.js';
import { reviewRehearsal } from './review.js';
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
  /** Its own checks, loaded. */
  checks: readonly Check[];
  readonly warnings: Problem[];
}

/** Loads a rehearsal. Throws with all of its problems. */
export function loadRehearsal(file: string): Rehearsal {
  return toRehearsal(readSource(file), file);
}

/** Makes a rehearsal of a parsed document that is, or will be, in this file. Throws with all of its problems. */
export function toRehearsal({ value, ...source }: Source, file: string): Rehearsal {
  const named = loadNamedChecks(isObject(value) ? value['checks'] : undefined, dirname(file));
  const { document, warnings } = readScript(
    { value, ...source },
    schemaWith(named.checks),
    (script) => reviewRehearsal(script, file, named.checks),
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

function ownScenario(document: RehearsalDocument): Scenario {
  const {
    agent,
    agents,
    stage,
    skip,
    scenario,
    cassette,
    plugins,
    checks,
    env,
    project,
    terminal,
    limits,
    workflow,
    tags,
    allow_unused,
    allow_unanswered,
    mcp,
    start,
    end,
    steps,
    ...script
  } = document;
  return { document: script, warnings: [] };
}
