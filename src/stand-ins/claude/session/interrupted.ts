import type { Session } from './session.js';

/** The running turn has to end: the host asks for it. */
export class Interrupted extends Error {
  /** What a host hears when it knows that the call was stopped. */
  readonly onTold: (() => void) | undefined;

  constructor(onTold?: () => void) {
    super('interrupted');
    this.name = 'Interrupted';
    this.onTold = onTold;
  }
}

/** Writes into the transcript of whoever is at work that the user has stopped it. */
export function writeInterruption({ writing, promptId, parts, isEnding }: Session, duringTools: boolean): string {
  const text = duringTools ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]';
  const message = { role: 'user', content: [{ type: 'text', text }] };
  const mark = isEnding ? { interruptedByShutdown: true } : {};
  writing.addMessages([{ promptId, type: 'user', message, timestamp: parts.clock.timestamp(), ...mark }]);
  return text;
}
