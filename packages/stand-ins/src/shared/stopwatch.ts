let stopped = false;

/** For durations: the milliseconds of the machine's clock, or always the same when time stands still. */
export function milliseconds(): number {
  return stopped ? 0 : Date.now();
}

/** From now on nothing takes any time, so that two runs of a scenario are the same to the byte. */
export function stopTime(): void {
  stopped = true;
}
