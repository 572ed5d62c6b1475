import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { standInCommand } from '../../src/agents/stand-in.js';
import { notCompiled } from '../helpers/native.js';
import { realAgent } from '../helpers/real-agents.js';
import { sample, seedOr, sixthInCi } from '../helpers/seeded.js';
import { OPENCODE_CASES } from './opencode-cases.js';
import { type OpenCodeRun, observeOpenCode } from './opencode-run.js';
import { pinnedVersion, RECORDING, Recordings } from './recordings.js';

const VERSION = pinnedVersion('opencode');
const SEED = seedOr(1);
const STAND_IN = [process.execPath, resolve('dist/bin/understudy-opencode.cjs')];
const TIMEOUT = { timeout: 120_000 };

const found = await realAgent(`opencode@${VERSION}`);
const recordings = new Recordings<OpenCodeRun>(`opencode-${VERSION}`);
const names = OPENCODE_CASES.map(({ name }) => name);
const observeReal = (test: (typeof OPENCODE_CASES)[number]) => observeOpenCode('real', found?.command ?? [], test);

if (RECORDING) {
  describe('a recording of the real OpenCode', () => {
    afterAll(() => recordings.save(names));
    it.each(OPENCODE_CASES)('$name', TIMEOUT, async (test) => {
      recordings.write(test.name, test, await observeReal(test));
    });
  });
}

describe(`the opencode stand-in does as OpenCode ${VERSION} did`, () => {
  it('has a recording of every case, and of no other', () => {
    expect(recordings.names).toEqual(names);
  });

  const played = sixthInCi(OPENCODE_CASES, SEED);
  it.each(played)('$name', TIMEOUT, async (test) => {
    expect(await observeOpenCode('stand-in', STAND_IN, test)).toEqual(recordings.read(test.name, test));
  });

  describe('does the same when it is compiled', () => {
    it.for(played)('$name', TIMEOUT, async (test, { skip }) => {
      if (notCompiled !== undefined) skip(notCompiled);
      const observed = await observeOpenCode('stand-in', standInCommand('opencode'), test);
      expect(observed).toEqual(recordings.read(test.name, test));
    });
  });
});

describe.skipIf(found === undefined)(`the real OpenCode ${VERSION}`, () => {
  it.each(sample(OPENCODE_CASES, 1, SEED))(
    `still does what was recorded (seed ${SEED}): $name`,
    TIMEOUT,
    async (test) => {
      expect(await observeReal(test)).toEqual(recordings.read(test.name, test));
    },
  );
});
