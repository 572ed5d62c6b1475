import { afterAll, describe, expect, it } from 'vitest';
import { AcceptedDifferences } from '../../packages/suites/src/drift/accepted.js';
import { differencesIn } from '../../packages/suites/src/drift/differences.js';
import { observe, type Program } from '../../packages/suites/src/drift/observe.js';
import { realAgent } from '../helpers/real-agents.js';
import { seedOr } from '../helpers/seeded.js';
import { STAND_IN } from '../helpers/stand-in.js';
import { generateParts } from './generated/generate.js';
import { minimise } from './generated/minimise.js';
import { compose, type Part } from './generated/parts.js';

const COUNT = Number(process.env['UNDERSTUDY_GENERATED'] ?? 50);
const SEED = seedOr(1);

const accepted = new AcceptedDifferences();
const found = await realAgent('claude');
const real: Program = { kind: 'real', command: found?.command ?? [] };
const standIn: Program = { kind: 'stand-in', command: [process.execPath, STAND_IN] };

const nameOf = (seed: number, index: number): string => `generated ${seed}:${index}`;
/**
 * The real CLI runs tools while a message still comes in, so that the clock decides some orders. Where it differs, it is
 * asked again as often as this: the stand-in must do what the real one does in one of its runs.
 */
const AGAIN = 4;
const varying = new Set<string>();

/** What differs between both programs, side by side. */
async function compare(name: string, parts: readonly Part[]): Promise<string[]> {
  const test = compose(name, parts);
  const [first, own] = await Promise.all([observe(real, test), observe(standIn, test)]);
  // What is refused by name is outside of the border.
  if (own.refused.length > 0) return [];
  const differences = accepted.unaccepted(name, differencesIn(first, own));
  for (let again = 0; differences.length > 0 && again < AGAIN; again++) {
    if (accepted.unaccepted(name, differencesIn(await observe(real, test), own)).length > 0) continue;
    varying.add(name);
    return [];
  }
  return differences;
}

describe.runIf(found !== undefined)(`side by side (seed ${SEED}; UNDERSTUDY_SEED repeats it)`, () => {
  afterAll(() => {
    if (varying.size > 0) console.info(`the real CLI differs from run to run: ${[...varying].join(', ')}`);
  });

  it.each(Array.from({ length: COUNT }, (_, index) => index))('invocation %i', async (index) => {
    const name = nameOf(SEED, index);
    const parts = generateParts(SEED, index);
    const differences = await compare(name, parts);
    if (differences.length === 0) return;
    const least = await minimise(parts, differences, (fewer) => compare(name, fewer));
    expect.fail(`${name}: ${JSON.stringify(least.parts, undefined, 2)}\n${least.differences.join('\n')}`);
  });
});
