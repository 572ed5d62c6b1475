import { afterAll, describe, expect, it } from 'vitest';
import { AcceptedDifferences } from '../../src/drift/accepted.js';
import { differencesIn } from '../../src/drift/differences.js';
import { type Behavior, observe, type Program } from '../../src/drift/observe.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, seedOr, sixthInCi } from '../helpers/seeded.js';
import { STAND_IN } from '../helpers/stand-in.js';
import { recordable } from './claude-recording.js';
import { generateParts } from './generated/generate.js';
import { minimise } from './generated/minimise.js';
import { compose, type Part } from './generated/parts.js';
import { pinnedVersion, RECORDING, Recordings } from './recordings.js';

/** The invocations that are recorded: the same for everybody. */
const RECORDED = { seed: 2026, count: 40 };
/**
 * How many more are played on both, side by side. A long run has others each time, and finds what is still to mend; a
 * usual one has always the same, so that a change does not fail by chance.
 */
const COUNT = LONG ? 500 : 6;
const LIVE = {
  seed: seedOr(LONG ? Date.now() % 1_000_000 : 2027),
  count: Number(process.env['UNDERSTUDY_GENERATED'] ?? COUNT),
};

const VERSION = pinnedVersion('claude');
const accepted = new AcceptedDifferences();
const recordings = new Recordings<Behavior>(`claude-${VERSION}-generated`);
const found = await realAgent(`claude@${VERSION}`);
const real: Program = { kind: 'real', command: found?.command ?? [] };
const standIn: Program = { kind: 'stand-in', command: [process.execPath, STAND_IN] };

const nameOf = (seed: number, index: number): string => `generated ${seed}:${index}`;
const cases = Array.from({ length: RECORDED.count }, (_, index) =>
  compose(nameOf(RECORDED.seed, index), generateParts(RECORDED.seed, index)),
);

if (RECORDING)
  describe('a recording of the real Claude Code', () => {
    afterAll(() => recordings.save(cases.map(({ name }) => name)));

    it.each(cases)('$name', async (test) => {
      recordings.write(test.name, test, recordable(test, await observe(real, test)));
    });
  });

describe(`the claude stand-in does as Claude Code ${VERSION} did with generated invocations`, () => {
  it.each(sixthInCi(cases, LIVE.seed))('$name', async (test) => {
    const differences = differencesIn(recordings.read(test.name, test), await observe(standIn, test));
    expect(accepted.unaccepted(test.name, differences)).toEqual([]);
  });
});

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
  const differences = accepted.unaccepted(name, differencesIn(first, own));
  for (let again = 0; differences.length > 0 && again < AGAIN; again++) {
    if (accepted.unaccepted(name, differencesIn(await observe(real, test), own)).length > 0) continue;
    varying.add(name);
    return [];
  }
  return differences;
}

describe.runIf(LIVE.count > 0 && found !== undefined)(
  `side by side (seed ${LIVE.seed}; UNDERSTUDY_SEED repeats it)`,
  () => {
    afterAll(() => {
      if (varying.size > 0) console.info(`the real CLI differs from run to run: ${[...varying].join(', ')}`);
    });

    it.each(Array.from({ length: LIVE.count }, (_, index) => index))('invocation %i', async (index) => {
      const name = nameOf(LIVE.seed, index);
      const parts = generateParts(LIVE.seed, index);
      const differences = await compare(name, parts);
      if (differences.length === 0) return;
      const least = await minimise(parts, differences, (fewer) => compare(name, fewer));
      expect.fail(`${name}: ${JSON.stringify(least.parts, undefined, 2)}\n${least.differences.join('\n')}`);
    });
  },
);
