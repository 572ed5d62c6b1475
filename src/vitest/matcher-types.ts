import type { Stage } from '@understudy/agents';
import type { TurnMatchers } from '@understudy/verdict';

/** What can be expected of a turn, or of a whole conversation. */
export interface UnderstudyMatchers<R = unknown> extends TurnMatchers<R> {
  /** It is the same as when the snapshot was taken, but for folders, ids and times. */
  toMatchConversationSnapshot(hint?: string): R;
}

declare module 'vitest' {
  interface Matchers<T> extends UnderstudyMatchers<T> {}
  interface ProvidedContext {
    /** For all tests of a project: `provide: { stage: 'sim' }`. */
    stage?: Stage;
    agentSpec?: string;
  }
}
