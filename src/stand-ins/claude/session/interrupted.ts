/** The running turn has to end: the host asks for it, or the user says something that cannot wait. */
export class Interrupted extends Error {
  readonly byMessage: boolean;

  constructor({ byMessage = false } = {}) {
    super('interrupted');
    this.name = 'Interrupted';
    this.byMessage = byMessage;
  }
}

/** Whether the turn has to end for something that the user says. */
export function isSuperseded({ reason }: AbortSignal): boolean {
  return reason instanceof Interrupted && reason.byMessage;
}
