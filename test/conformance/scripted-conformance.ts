import { afterAll, describe, expect, it } from 'vitest';
import { isCompilable, standInCommand } from '../../packages/agents/src/stand-in.js';
import { notCompiled } from '../helpers/native.js';
import { realAgent } from '../helpers/real-agents.js';
import { sample, seedOr } from '../helpers/seeded.js';
import { readCases } from './cases/read-cases.js';
import { RECORDING, Recordings } from './recordings.js';
import { differencesOf, type ScriptedCase, type ScriptedCli, type ScriptedObservation } from './scripted-case.js';
import { observeScripted } from './scripted-run.js';

const SEED = seedOr(1);
const TIMEOUT = { timeout: 120_000 };

/** Compares a stand-in with what its real CLI did in each case, and one case with what the real CLI does today. */
export async function describeConformance(cli: ScriptedCli): Promise<void> {
  const { agent } = cli;
  const cases = readCases<ScriptedCase>(agent);
  const found = await realAgent(agent);
  const recordings = new Recordings<ScriptedObservation>(agent);
  const names = cases.map(({ name }) => name);
  const observeReal = (test: ScriptedCase) => observeScripted(found?.command ?? [], cli, test);

  if (RECORDING) {
    describe(`a recording of the real ${agent}`, () => {
      afterAll(() => recordings.save(names));
      it.each(cases)('$name', TIMEOUT, async (test) => {
        recordings.write(test.name, test, await observeReal(test));
      });
    });
  }

  describe(`the ${agent} stand-in does as the pinned ${agent} did`, () => {
    it('has a recording of every case, and of no other', () => {
      expect(recordings.names).toEqual(names);
    });

    it.each(cases)('$name', TIMEOUT, async (test) => {
      const differences = differencesOf(
        recordings.read(test.name, test),
        JSON.parse(JSON.stringify(await observeScripted(undefined, cli, test))),
      );
      expect(differences).toEqual([]);
    });

    const describeCompiled = isCompilable(agent) ? describe : undefined;
    describeCompiled?.('does the same when it is compiled', () => {
      it.for(cases)('$name', TIMEOUT, async (test, { skip }) => {
        if (notCompiled !== undefined) skip(notCompiled);
        const observed = await observeScripted(undefined, cli, test, standInCommand(agent));
        const differences = differencesOf(recordings.read(test.name, test), JSON.parse(JSON.stringify(observed)));
        expect(differences).toEqual([]);
      });
    });
  });

  describe.skipIf(found === undefined)(`the real ${agent}`, () => {
    it.each(sample(cases, 1, SEED))(`still does what was recorded (seed ${SEED}): $name`, TIMEOUT, async (test) => {
      const differences = differencesOf(
        recordings.read(test.name, test),
        JSON.parse(JSON.stringify(await observeReal(test))),
      );
      expect(differences).toEqual([]);
    });
  });
}
