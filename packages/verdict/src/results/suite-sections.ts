import * as z from 'zod/mini';

/** What a suite saw of an entry: only the suite can read it. */
export interface SuiteContext {
  /** A command that runs the program again. */
  run_again?: string | undefined;
  [name: string]: unknown;
}

/** The program under test of a suite. */
export interface SuiteProgram {
  kind: string;
  version: string;
  command: string;
}

/** The parts of a result that only a suite writes. */
export interface SuiteSections {
  context: z.ZodMiniType<SuiteContext>;
  orchestrator: z.ZodMiniType<SuiteProgram>;
}

let known: SuiteSections = {
  context: z.looseObject({ run_again: z.optional(z.string()) }),
  orchestrator: z.strictObject({ kind: z.string(), version: z.string(), command: z.string() }),
};

let isUsed = false;

/** Suites stand above this package: they register what they write. Zod keeps a section from its first use on. */
export function registerSections(sections: SuiteSections): void {
  const isNew = known.context !== sections.context || known.orchestrator !== sections.orchestrator;
  if (isNew && isUsed) throw new Error('sections of a suite must be registered before a result is read');
  known = sections;
}

/** A part of the result whose schema a suite has. */
export function suiteSection<Name extends keyof SuiteSections>(name: Name): z.ZodMiniLazy<SuiteSections[Name]> {
  return z.lazy(() => {
    isUsed = true;
    return known[name];
  });
}
