import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Fetches the pinned Claude Code into the store, once.
    globalSetup: ['agent-understudy/vitest/setup'],
    // A real CLI starts in a second or two.
    testTimeout: 60_000,
  },
});
