import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';
import { LONG } from './seeded.js';

/** How often an attack is tried: in a long run so often, otherwise not at all. `UNDERSTUDY_TRIES` is for one test alone. */
export function triesOf(inLongRun: number): number {
  const asked = process.env['UNDERSTUDY_TRIES'];
  return asked === undefined ? (LONG ? inLongRun : 0) : Number(asked);
}

/**
 * Says how an attack went: in the table that scripts/write-reliability.mjs makes a page of (`UNDERSTUDY_TALLY` names its
 * file), and as the test's own verdict.
 */
export function tally(attack: string, target: string, tries: number, failures: readonly string[] = []): void {
  const file = process.env['UNDERSTUDY_TALLY'];
  if (file !== undefined && tries > 0) {
    appendFileSync(file, `${JSON.stringify({ attack, target, tries, failures: failures.length })}\n`);
  }
  // All count; the first are enough to see why.
  expect(failures.slice(0, 5)).toEqual([]);
}
