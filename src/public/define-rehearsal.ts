import type { RehearsalInput } from '@understudy/runner';

export type { RehearsalInput };

/**
 * A rehearsal in code, with its types: the default export of a `*.rehearsal.mjs`, or of a `*.rehearsal.ts` where Node
 * runs TypeScript. It gives what it is given; what is wrong with it is told when the file is loaded.
 */
export function defineRehearsal(rehearsal: RehearsalInput): RehearsalInput {
  return rehearsal;
}
