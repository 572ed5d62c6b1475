import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { OverviewEntry, PageOverview } from '../../packages/verdict/src/reporters/html/page-data.js';
import { Mark } from './mark.js';
import { linkTo, type Route, replaceRoute } from './route.js';
import { RunBar, RunButton } from './run-buttons.js';
import { Line, seconds } from './text.js';

/** In this order, the worst first. */
const STATUSES = [
  'failed',
  'error',
  'unjudged',
  'interrupted',
  'flaky',
  'expected_failure',
  'skipped',
  'passed',
] as const;

export function matches(entry: OverviewEntry, { search, status }: Pick<Route, 'search' | 'status'>): boolean {
  if (status !== '' && (entry.status !== status || entry.state !== undefined)) return false;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { name, file = '', agent, stage, model = '', target = '', tags, group = '', reason = '', failure = '' } = entry;
  const all = [name, file, agent, stage, model, target, group, reason, failure, ...tags.map((tag) => `@${tag}`)]
    .join(' ')
    .toLowerCase();
  return words.every((word) => all.includes(word));
}

export function Overview({ overview, route }: { overview: PageOverview; route: Route }) {
  const { run, entries } = overview;
  // Nothing has run yet: there is no verdict to show.
  const isIdle = overview.live !== undefined && entries.every(({ state }) => state !== undefined);
  const box = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => inOrder(entries.filter((entry) => matches(entry, route))), [entries, route]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <main>
      <RunBar overview={overview} />
      <p class={`verdict ${isIdle ? '' : run.exit_code === 0 ? 'passed' : 'failed'}`}>
        <strong>
          {isIdle ? 'Ready' : run.exit_code === 0 ? 'Passed' : run.exit_code === 1 ? 'Failed' : 'No verdict'}
        </strong>
        <span>
          <Line text={isIdle ? `${entries.length} tests` : run.verdict} />
        </span>
      </p>
      <p class="dim">
        {run.started_at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')} · {seconds(run.duration_ms)} · understudy{' '}
        {run.understudy_version} · {run.environment.os} · Node.js {run.environment.node}
        {run.isolation === undefined ? null : (
          <>
            {' '}
            · isolation: {run.isolation.level}
            {run.isolation.reason === undefined ? null : (
              <>
                {' ('}
                <Line text={run.isolation.reason} />)
              </>
            )}
          </>
        )}
      </p>
      <Matrix entries={entries} />
      <div class="bar">
        <input
          ref={box}
          type="search"
          aria-label="Search tests"
          placeholder="Search tests ( / )"
          value={route.search}
          onInput={(event) => replaceRoute({ ...route, search: event.currentTarget.value })}
        />
        {STATUSES.map((status) => {
          const count = entries.filter((entry) => entry.status === status && entry.state === undefined).length;
          if (count === 0) return null;
          const isOn = route.status === status;
          return (
            <button
              type="button"
              aria-pressed={isOn}
              onClick={() => replaceRoute({ ...route, status: isOn ? '' : status })}
            >
              <Mark status={status} /> {count} {status.replace('_', ' ')}
            </button>
          );
        })}
      </div>
      <p class="dim" role="status">
        {shown.length === entries.length ? `${entries.length} tests` : `${shown.length} of ${entries.length} tests`}
      </p>
      <ul class="tests">
        {shown.map((entry) => (
          <Row entry={entry} />
        ))}
      </ul>
    </main>
  );
}

function inOrder(entries: readonly OverviewEntry[]): OverviewEntry[] {
  const rank = ({ status }: OverviewEntry) => STATUSES.indexOf(status);
  return [...entries].sort((one, other) => rank(one) - rank(other));
}

function Row({ entry }: { entry: OverviewEntry }) {
  const hasRun = entry.state === undefined;
  const why = hasRun ? (entry.failure ?? entry.reason) : undefined;
  return (
    <li>
      <a href={linkTo({ test: entry.key })}>
        <Mark status={entry.status} state={entry.state} />
        <span class="name">
          <Line text={entry.name} />
          {why === undefined ? null : (
            <small>
              <Line text={why} />
            </small>
          )}
        </span>
        <span class="facts">
          {entry.agent} {entry.model} {entry.stage} {entry.target} {hasRun ? seconds(entry.duration_ms) : ''}
        </span>
      </a>
      <RunButton entry={entry} />
    </li>
  );
}

/** Tests against targets, or groups or stages against agents and their versions. */
function Matrix({ entries }: { entries: readonly OverviewEntry[] }) {
  const hasTargets = new Set(entries.flatMap(({ target }) => target ?? [])).size > 1;
  const columnOf = ({ agent, version, target }: OverviewEntry) => {
    if (hasTargets) return target ?? 'no target';
    return version === undefined || agent.includes('@') ? agent : `${agent} ${version}`;
  };
  const rowOf = ({ group, stage, name }: OverviewEntry) => (hasTargets ? name : (group ?? stage));
  const columns = [...new Set(entries.map(columnOf))].sort();
  const rows = [...new Set(entries.map(rowOf))];
  if (entries.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard.
    <section class="matrix" aria-label={hasTargets ? 'Targets' : 'Agents'} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {columns.map((column) => (
              <th scope="col">
                <Line text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                <Line text={row} />
              </th>
              {columns.map((column) => (
                <Cell entries={entries.filter((entry) => rowOf(entry) === row && columnOf(entry) === column)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ entries }: { entries: readonly OverviewEntry[] }) {
  if (entries.length === 0) return <td class="dim">·</td>;
  const good = entries.filter(({ status }) => status === 'passed' || status === 'flaky').length;
  const others = entries.filter(({ status }) => status === 'skipped' || status === 'expected_failure').length;
  const isGreen = good + others === entries.length && good > 0;
  return (
    <td class={isGreen ? 'passed' : good + others === entries.length ? 'skipped' : 'failed'}>
      {good}/{entries.length}
    </td>
  );
}
