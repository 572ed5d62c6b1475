/** `npm run test:long` sets it: the long attack (test/long), every conformance case and every fault on the real CLI. */
export const LONG = process.env['UNDERSTUDY_LONG'] === '1';

/** How many inputs a fuzz test makes: `UNDERSTUDY_FUZZ` says it, or 10,000 in a long run. */
export function fuzzInputs(usual: number): number {
  return Number(process.env['UNDERSTUDY_FUZZ'] ?? (LONG ? 10_000 : usual));
}

/** The seed that was asked for, to repeat a run that failed; otherwise the one given. */
export function seedOr(usual: number): number {
  const asked = process.env['UNDERSTUDY_SEED'];
  return asked === undefined ? usual : Number(asked);
}

/** A small seeded generator of numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Some of the items, the same in each run; another seed chooses others. All of them in a long run. */
export function sample<T>(items: readonly T[], count: number, seed: number): T[] {
  if (LONG) return [...items];
  const random = seeded(seed);
  const ranked = items.map((item) => ({ item, rank: random() })).sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, count).map(({ item }) => item);
}

/** The nth part of many cases of one kind in CI, the same in each run; everywhere else all of them. */
export function partInCi<T>(items: readonly T[], nth: number, seed: number): T[] {
  if (process.env['CI'] !== 'true') return [...items];
  const chosen = new Set(sample(items, Math.ceil(items.length / nth), seed));
  return items.filter((item) => chosen.has(item));
}

/** Whether this run makes proofs that take long. CI leaves them to the long run. */
export const makesLongProofs = LONG || process.env['CI'] !== 'true';
