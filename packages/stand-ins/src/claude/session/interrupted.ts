import type { Session } from './session.js';

/** The running turn has to end: the host asks for it. */
export class Interrupted extends Error {
  /** What a host hears when it knows that the call was stopped. */
  readonly onAcknowledged: (() => void) | undefined;

  constructor(onTold?: () => void) {
    super('interrupted');
    this.name = 'Interrupted';
    this.onAcknowledged = onTold;
  }
}

/** The user has stopped whoever is at work. Of a subagent a host does not hear that. Gives what it reads of it. */
export function tellInterruption({ out, subagent }: Session, duringTools: boolean): string {
  const text = duringTools ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]';
  out.user([{ type: 'text', text }], { event: subagent === undefined ? {} : undefined });
  return text;
}
