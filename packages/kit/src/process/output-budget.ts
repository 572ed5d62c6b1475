const MB = 1024 * 1024;

/** What a limit is for. */
export type OutputScope = 'program' | 'turn' | 'conversation' | 'run';

/** A limit that was passed. */
export interface OutputCut {
  scope: OutputScope;
  limitBytes: number;
}

/** How much is read of an agent and kept of it as events, in bytes. */
export interface OutputLimits {
  turnBytes: number;
  conversationBytes: number;
}

/** A long turn of a real CLI writes less than 1 MB. */
export const defaultOutputLimits: OutputLimits = { turnBytes: 32 * MB, conversationBytes: 128 * MB };

/** What all conversations of a run may write together. */
export const RUN_OUTPUT_BYTES = 1024 * MB;

/** What one program may write that is run to its end. */
export const PROGRAM_OUTPUT_BYTES = 64 * MB;

/** Counts what is written, so that a program that never stops writing fills neither memory nor disk. */
export class OutputBudget {
  readonly scope: OutputScope;
  readonly limitBytes: number;
  readonly #within: OutputBudget | undefined;
  #spent = 0;

  /** What is spent here is spent of `within`, too. */
  constructor(scope: OutputScope, limitBytes: number, within?: OutputBudget) {
    this.scope = scope;
    this.limitBytes = limitBytes;
    this.#within = within;
  }

  /** The widest limit that was passed. */
  get cut(): OutputCut | undefined {
    const { scope, limitBytes } = this;
    return this.#within?.cut ?? (this.#spent > limitBytes ? { scope, limitBytes } : undefined);
  }

  spend(bytes: number): void {
    this.#spent += bytes;
    this.#within?.spend(bytes);
  }

  /** Begins to count anew: the next turn. */
  renew(): void {
    this.#spent = 0;
  }
}

/** A limit for people: `more than 32 MB of output in one turn`. */
export function describeCut({ scope, limitBytes }: OutputCut): string {
  const amount = limitBytes >= MB ? `${Math.round(limitBytes / MB)} MB` : `${limitBytes} bytes`;
  return `more than ${amount} of output ${scope === 'program' ? 'from one program' : `in one ${scope}`}`;
}
