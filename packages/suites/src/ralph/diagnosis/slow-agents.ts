import { type EntryResult, groupBy, type Recommendation } from '@understudy/verdict';
import { contextOf } from '../../orchestrators/context-schema.js';

const FEWEST_SHARED = 3;
const MUCH_SLOWER = 2;
const WORTH_TELLING_SECONDS = 10;

/** An agent that takes much longer than another for the same cases. */
export function aboutSlowAgents(results: readonly EntryResult[]): Recommendation[] {
  const passed = groupBy(
    results.filter(({ status }) => status === 'passed'),
    ({ agent }) => agent,
  );
  return passed.flatMap(([agent, own]): Recommendation[] => {
    const slower = passed.flatMap(([other, theirs]) => {
      const shared = own.flatMap((mine) => {
        const same = theirs.find((entry) => entry.case !== undefined && entry.case.id === mine.case?.id);
        return same === undefined || other === agent ? [] : [{ mine, same }];
      });
      const [here, there] = [shared.map(({ mine }) => mine), shared.map(({ same }) => same)].map(totalSeconds);
      const much =
        here !== undefined && there !== undefined && here > MUCH_SLOWER * there && here - there > WORTH_TELLING_SECONDS;
      return shared.length >= FEWEST_SHARED && much
        ? [`${here.toFixed(1)} s, ${other} ${there.toFixed(1)} s for ${shared.length} cases`]
        : [];
    });
    if (slower.length === 0) return [];
    return [
      {
        severity: 'Info',
        category: 'backend',
        title: `${agent} is slower than others`,
        description: `${agent} took ${slower.join('; ')}.`,
        affected_tests: own.map(({ id }) => id),
      },
    ];
  });
}

function totalSeconds(entries: readonly EntryResult[]): number {
  // Without the baselines, which are part of the entry's own duration.
  return entries.reduce((total, entry) => total + (contextOf(entry)?.duration_ms ?? entry.duration_ms), 0) / 1000;
}
