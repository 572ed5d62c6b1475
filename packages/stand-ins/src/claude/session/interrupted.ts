import type { Session } from './session.js';

/** The running turn has to end: the host asks for it. */
export class Interrupted extends Error {
  /** Called when the host knows that the call was stopped. */
  readonly onAcknowledged: (() => void) | undefined;

  constructor(onAcknowledged?: () => void) {
    super('interrupted');
    this.name = 'Interrupted';
    this.onAcknowledged = onAcknowledged;
  }
}

/** The user has stopped the agent that works. A host does not receive that for a subagent. Returns what the agent reads. */
export function sendInterruption({ out, subagent }: Session, duringTools: boolean): string {
  const text = duringTools ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]';
  out.user([{ type: 'text', text }], { event: subagent === undefined ? {} : undefined });
  return text;
}
