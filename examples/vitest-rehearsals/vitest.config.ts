import { rehearsals } from 'agent-understudy/vitest/plugin';
import { defineConfig } from 'vitest/config';

// Each rehearsal file is a test file: `npx vitest` runs them beside all others, and the explorer of the editor shows them.
export default defineConfig({
  plugins: [rehearsals({ stage: 'sim' })],
});
