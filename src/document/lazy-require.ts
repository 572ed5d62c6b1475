import { createRequire } from 'node:module';

/**
 * Loads a package when it is first needed, without making its caller asynchronous. It is for
 * packages that only some documents need: locating errors, regular expressions.
 */
export const lazyRequire: (name: string) => unknown = createRequire(import.meta.url);
