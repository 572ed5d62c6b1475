import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Whole-program tests mostly wait for agent CLIs: a few more of them than there are cores.
    maxWorkers: 3,
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 20_000 } },
      {
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
