import { expect, it } from 'vitest';
import { bisect, type Verdict } from './bisect.js';

const VERSIONS = Array.from({ length: 100 }, (_, at) => `2.1.${at}`);
/** Good before the first bad one; what is listed cannot be judged. */
const broken = (first: number, skipped: readonly number[] = []) => {
  const asked: string[] = [];
  const judge = async (version: string): Promise<{ verdict: Verdict; reason?: string }> => {
    asked.push(version);
    const number = Number(version.split('.')[2]);
    if (skipped.includes(number)) return { verdict: 'skip', reason: 'no build' };
    return { verdict: number < first ? 'good' : 'bad' };
  };
  return { judge, asked };
};

it('finds the first bad release whichever it is, and judges few versions for it', async () => {
  for (let first = 1; first < 100; first++) {
    const { judge, asked } = broken(first);
    // Npm lists versions in the order of their publishing.
    const versions = [...VERSIONS, '2.1.5-beta.1'].reverse();
    const found = await bisect({ good: '2.1.0', bad: '2.1.99', versions, judge });
    expect(found).toMatchObject({ lastGood: `2.1.${first - 1}`, firstBad: `2.1.${first}`, between: [] });
    expect(asked.length).toBeLessThanOrEqual(9);
    expect(new Set(asked).size).toBe(asked.length);
  }
});

it('goes around versions that cannot be judged, and names those that may be the first bad one', async () => {
  const far = broken(70, [49, 50, 51]);
  await expect(bisect({ good: '2.1.0', bad: '2.1.99', versions: VERSIONS, ...far })).resolves.toMatchObject({
    ...{ lastGood: '2.1.69', firstBad: '2.1.70', between: [] },
  });
  const near = broken(50, [49, 50]);
  await expect(bisect({ good: '2.1.0', bad: '2.1.99', versions: VERSIONS, ...near })).resolves.toMatchObject({
    ...{ lastGood: '2.1.48', firstBad: '2.1.51', between: ['2.1.49', '2.1.50'] },
  });
});

it.each([
  ['BISECT_WRONG_ENDS', 'the good version 2.1.3 fails', '2.1.3', '2.1.9', broken(2)],
  ['BISECT_WRONG_ENDS', 'the bad version 2.1.9 passes', '2.1.3', '2.1.9', broken(50)],
  ['BISECT_WRONG_ENDS', 'the bad version 2.1.9 could not be judged: no build', '2.1.3', '2.1.9', broken(5, [9])],
  ['BISECT_WRONG_ENDS', 'the good version 2.1.9 is not older than the bad version 2.1.3', '2.1.9', '2.1.3', broken(5)],
  ['BISECT_UNKNOWN_VERSION', 'npm does not have 3.0.0', '2.1.3', '3.0.0', broken(5)],
])('%s: %s', async (code, message, good, bad, { judge }) => {
  await expect(bisect({ good, bad, versions: VERSIONS, judge })).rejects.toMatchObject({ code, message });
});
