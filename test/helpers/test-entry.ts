import type { Entry, PlayContext, Played, Players } from '../../packages/runner/src/run/entry.js';
import type { CheckResult } from '../../packages/verdict/src/checks/result.js';

/** A check result with a status, for tests of what happens to checks. */
export function testCheck(status: CheckResult['status']): CheckResult {
  return {
    ...{ name: 'a check', category: 'custom', status, subject: { kind: 'condition' } },
    ...{ expected: '', actual: '', evidence: [] },
  };
}

/** What becomes of an entry of a test. */
export interface TestPlay {
  play?(context: PlayContext): Promise<Played>;
  skipReason?(): Promise<string | undefined>;
}

/** An entry that passes, unless it carries another play. */
export function testEntry(name: string, { play, skipReason, ...more }: Partial<Entry> & TestPlay = {}): Entry {
  return {
    ...{ id: name, kind: 'rehearsal', name, tags: [], agent: 'claude', stage: 'sim', round: 1 },
    ...{ rerun: `understudy run ${name}`, folderName: name, player: 'test', options: { play, skipReason } },
    ...more,
  };
}

/** Plays entries of tests as they say themselves. */
export const testPlayers: Players = {
  test: {
    skipReason: async ({ options }) => (options as TestPlay).skipReason?.(),
    play: async ({ options }, context) =>
      (await (options as TestPlay).play?.(context)) ?? { steps: [], checks: [testCheck('passed')] },
  },
};
