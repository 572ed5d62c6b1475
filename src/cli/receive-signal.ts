/** Resolves with the first signal that asks this process to end. A second Ctrl-C ends it at once. */
export function receiveSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve(name));
    // A closed terminal may send it twice, by the kernel and by the shell. That is not a wish to end faster.
    process.on('SIGHUP', () => resolve('SIGHUP'));
  });
}
