import type { RehearsalInput } from '@understudy/runner';

export type { RehearsalInput };

/**
 * A rehearsal in code, with its types: the default export of a `*.rehearsal.mjs`, or of a `*.rehearsal.ts` where Node
 * runs TypeScript. It returns its argument; what is wrong with it is reported when the file is loaded.
 */
export function defineRehearsal(rehearsal: RehearsalInput): RehearsalInput {
  return rehearsal;
}
