import { configDefaults, defineConfig } from 'vitest/config';
import { LongFilesFirst } from './scripts/long-files-first.js';

// In CI a whole run must not be lost to one test that met a busy machine; who needed it is named
// (scripts/ci-reporter.mjs, decisions/0008). Everywhere else the first failure counts.
const retry = process.env['CI'] === 'true' ? 1 : 0;

// Tests about isolation choose it themselves (test/helpers/isolation.ts).
const env = { UNDERSTUDY_ISOLATION: process.env['UNDERSTUDY_ISOLATION'] ?? 'none' };

const isLong = process.env['UNDERSTUDY_LONG'] === '1';

export default defineConfig({
  test: {
    // One more than the two cores of CI: whole-program tests also wait. More of them only get in each other's way (decisions/0019).
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          env,
          include: ['src/**/*.test.ts'],
          testTimeout: 20_000,
          expect: { poll: { timeout: 15_000 } },
          retry,
          // Units share a process, because loading the modules again for each file costs more than the tests.
          // A unit that changes something global (the environment, a timer) puts it back.
          isolate: false,
          unstubEnvs: true,
        },
      },
      {
        test: {
          name: 'program',
          env,
          include: ['test/**/*.test.ts'],
          // Some tests install packages beside them. What takes long is for `npm run test:long`.
          exclude: [...configDefaults.exclude, ...(isLong ? [] : ['test/long/**'])],
          testTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          hookTimeout: 300_000,
          retry,
          // They share processes, too: a process for each costs a fifteenth of the whole.
          isolate: false,
          unstubEnvs: true,
          setupFiles: ['test/helpers/leave-nothing.ts'],
        },
      },
    ],
  },
});
