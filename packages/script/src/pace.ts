import type { Pace } from './schema.js';

/** How long a model waits before each piece of an answer: before the first its own time, and then at a fixed rate. */
export function pacing({
  first_token_ms: first = 0,
  tokens_per_second: rate = Number.POSITIVE_INFINITY,
}: Pace = {}): (tokens: number) => number {
  let hasBegun = false;
  return (tokens) => {
    const wait = hasBegun ? (tokens * 1000) / rate : first;
    hasBegun = true;
    return wait;
  };
}
