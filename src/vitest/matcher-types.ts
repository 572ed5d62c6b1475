import type { Stage } from '@understudy/agents';
import type { OwnChecks, OwnExpectation } from '@understudy/verdict';
import type { ProgramExpectation, TurnExpectation } from '../testing/read-expectation.js';
import type { ProgramResult } from '../testing/run-program.js';

/** What can be expected of a turn, of a conversation, or of a program. */
export interface UnderstudyMatchers<R = unknown, T = unknown> {
  /**
   * All of this holds: the fields of `expect` in a rehearsal. A turn is always expected to complete. With
   * checks of your own: `toMeet<{ house: typeof house }>({ house: { polite: true } })`.
   */
  toMeet<C extends OwnChecks = Record<never, never>>(
    expectation: (T extends ProgramResult ? ProgramExpectation : TurnExpectation) & OwnExpectation<NoInfer<C>>,
  ): R;
  /** It is the same as when the snapshot was taken, but for folders, ids and times. */
  toMatchConversationSnapshot(hint?: string): R;
}

declare module 'vitest' {
  interface Matchers<T> extends UnderstudyMatchers<void, T> {}
  interface ProvidedContext {
    /** For all tests of a project: `provide: { stage: 'sim' }`. */
    stage?: Stage;
    agent?: string;
  }
}
