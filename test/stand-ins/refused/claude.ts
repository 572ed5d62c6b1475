import type { Row } from './row.js';

const says = (response: object) => [{ pattern: { type: 'any' }, response }];

/** Flags and tools of Claude Code. */
export const ROWS: Row[] = [
  {
    capability: '--safe-mode',
    rehearsal: {
      agent: 'claude',
      responses: says({ text: 'Hello.' }),
      steps: [{ run: 'claude -p hi --safe-mode || true' }],
    },
  },
];
