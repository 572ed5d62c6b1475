import type { OverviewEntry, PageOverview } from '../../packages/verdict/src/reporters/html/page-data.js';
import { IS_LIVE, runTests, stopTests } from './data.js';
import { Line } from './text.js';

/** Nothing can be said where the server is gone: the page shows that by itself. */
function press(action: () => Promise<void>) {
  return () => {
    action().catch(() => {});
  };
}

/** Runs one test, where tests can be run from the page. */
export function RunButton({ entry }: { entry: OverviewEntry }) {
  if (!IS_LIVE) return null;
  const isBusy = entry.state === 'running' || entry.state === 'waiting';
  return (
    <button
      type="button"
      class="run"
      disabled={isBusy}
      aria-label={`Run ${entry.name}`}
      onClick={press(() => runTests([entry.id]))}
    >
      {isBusy ? entry.state : '▶ run'}
    </button>
  );
}

/** Runs all tests or those that failed, and says what runs. */
export function RunBar({ overview: { live, entries } }: { overview: PageOverview }) {
  if (live === undefined) return null;
  const isBusy = live.running + live.waiting > 0;
  const red = entries.filter(({ status }) => status === 'failed' || status === 'unjudged' || status === 'error').length;
  return (
    <section class="bar" aria-label="Run">
      <button type="button" onClick={press(() => runTests('all'))}>
        ▶ Run all
      </button>
      <button type="button" disabled={red === 0} onClick={press(() => runTests('failed'))}>
        ▶ Run failed
      </button>
      <button type="button" disabled={!isBusy} onClick={press(stopTests)}>
        ■ Stop
      </button>
      <span class="dim" role="status">
        {isBusy ? `${live.running} running, ${live.waiting} waiting` : 'A changed file runs its tests again.'}
      </span>
      {live.problems.map((problem) => (
        <p class="bad">
          <Line text={problem} />
        </p>
      ))}
    </section>
  );
}
