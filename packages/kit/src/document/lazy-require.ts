import { createRequire } from 'node:module';

/** Where a compiled program keeps the packages that were compiled in: it has none beside it. */
const COMPILED_IN = Symbol.for('understudy.packages');

const compiledIn = (globalThis as { [COMPILED_IN]?: Record<string, () => unknown> })[COMPILED_IN];

/** Whether this is the compiled program, which has no files of ours beside it. */
export const isCompiled = compiledIn !== undefined;

/**
 * Loads a package when it is first needed, without making its caller asynchronous. It is for packages that only some runs
 * need: locating errors, regular expressions, a terminal, the queue. Not `import()`: code from the cache cannot do that
 * (src/bin/code-cache.ts).
 */
export const lazyRequire = (name: string): unknown => compiledIn?.[name]?.() ?? createRequire(import.meta.url)(name);
