import type { Session } from './session.js';

/** The running turn has to end: the host asks for it, or the user says something that cannot wait. */
export class Interrupted extends Error {
  readonly byMessage: boolean;
  /** What a host hears when it knows that the call was stopped. */
  readonly onTold: (() => void) | undefined;

  constructor({ byMessage = false, onTold }: { byMessage?: boolean; onTold?: () => void } = {}) {
    super('interrupted');
    this.name = 'Interrupted';
    this.byMessage = byMessage;
    this.onTold = onTold;
  }
}

/** Whether the turn has to end for something that the user says. */
export function isSuperseded({ reason }: AbortSignal): boolean {
  return reason instanceof Interrupted && reason.byMessage;
}

/** Writes into the transcript of whoever is at work that the user has stopped it. */
export function writeInterruption({ writing, promptId, parts, isEnding }: Session, duringTools: boolean): string {
  const text = duringTools ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]';
  const message = { role: 'user', content: [{ type: 'text', text }] };
  const mark = isEnding ? { interruptedByShutdown: true } : {};
  writing.addMessages([{ promptId, type: 'user', message, timestamp: parts.clock.timestamp(), ...mark }]);
  return text;
}
