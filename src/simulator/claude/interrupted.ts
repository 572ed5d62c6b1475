/** The host asked the running turn to end. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** Rejects as soon as the signal is aborted, else gives what the promise gives. */
export async function unlessInterrupted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw signal.reason;
  let stop: (() => void) | undefined;
  const interruption = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, interruption]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
