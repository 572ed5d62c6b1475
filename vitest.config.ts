import { configDefaults, defineConfig } from 'vitest/config';
import { faces } from './scripts/faces.mjs';
import { LongFilesFirst } from './scripts/long-files-first.js';

// What a newcomer runs with `npm test` is green at the first try. Of the rest CI tries a failed test once more, so that
// no whole run is lost to a busy machine; what needed it is named and counted (scripts/ci-reporter.mjs, decisions/0008).
const retry = process.env['CI'] === 'true' ? 1 : 0;

// Tests about isolation choose it themselves (test/helpers/isolation.ts).
const env = { UNDERSTUDY_ISOLATION: process.env['UNDERSTUDY_ISOLATION'] ?? 'none' };

const isLong = process.env['UNDERSTUDY_LONG'] === '1';

/** A condition is waited for as long as a busy machine may need: a second, the default, is a time and no condition. */
const expect = { poll: { timeout: 20_000 } };

/** As every program does at its start: a process that has read a result before is too late. */
const REGISTER = 'test/helpers/register-suites.ts';

/** Tests that start the built programs. */
const programs = {
  env,
  expect,
  testTimeout: 120_000,
  hookTimeout: 300_000,
  // They share processes, too: a process for each costs a fifteenth of the whole.
  isolate: false,
  unstubEnvs: true,
  setupFiles: ['test/helpers/leave-nothing.ts', REGISTER],
};

export default defineConfig({
  test: {
    // One more than the two cores of CI: whole-program tests also wait. More of them only get in each other's way (decisions/0019).
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        plugins: [faces],
        test: {
          name: 'unit',
          env,
          expect,
          include: ['{src,packages}/**/*.test.ts'],
          setupFiles: [REGISTER],
          exclude: configDefaults.exclude,
          // Against what hangs. Some units start programs, and a busy machine takes its time.
          testTimeout: 60_000,
          // Units share a process, because loading the modules again for each file costs more than the tests.
          // A unit that changes something global (the environment, a timer) puts it back.
          isolate: false,
          unstubEnvs: true,
        },
      },
      // One proof for each way into the product: `npm test` is these and the units.
      { plugins: [faces], test: { ...programs, name: 'door', include: ['test/doors/**/*.test.ts'] } },
      {
        plugins: [faces],
        test: {
          ...programs,
          name: 'program',
          include: ['test/**/*.test.ts'],
          // Some tests install packages beside them. What takes long is for `npm run test:long`.
          exclude: [...configDefaults.exclude, 'test/doors/**', ...(isLong ? [] : ['test/long/**'])],
          retry,
        },
      },
    ],
  },
});
