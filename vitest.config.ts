import { defineConfig } from 'vitest/config';

// In CI a whole run must not be lost to one test that met a busy machine; who needed it is named
// (scripts/flaky-reporter.mjs, decisions/0008). Everywhere else the first failure counts.
const retry = process.env['CI'] === 'true' ? 1 : 0;

export default defineConfig({
  test: {
    // Whole-program tests mostly wait for agent CLIs: a few more of them than there are cores.
    maxWorkers: 3,
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 20_000, retry } },
      {
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          retry,
        },
      },
    ],
  },
});
