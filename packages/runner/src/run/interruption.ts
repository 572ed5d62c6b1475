const INTERRUPTED = 130;

/** Does work that Ctrl-C ends. Gives its exit code, or 130 when it was interrupted. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interruption = new AbortController();
  const onSignal = () => interruption.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const code = await work(interruption.signal);
    return interruption.signal.aborted ? INTERRUPTED : code;
  } catch (error) {
    // A wait that ended with the interruption is no failure.
    if (interruption.signal.aborted && (error as Error | undefined)?.name === 'AbortError') return INTERRUPTED;
    throw error;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
