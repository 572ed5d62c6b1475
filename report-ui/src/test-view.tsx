import { useEffect, useMemo, useState } from 'preact/hooks';
import type { OverviewEntry, PageDetails } from '../../packages/verdict/src/reporters/html/page-data.js';
import { timelineOf } from '../../packages/verdict/src/reporters/html/timeline.js';
import { errorFix, errorText } from '../../packages/verdict/src/results/error-text.js';
import { readDetails } from './data.js';
import { Mark } from './mark.js';
import { Moment } from './moment.js';
import { linkTo, type Route } from './route.js';
import { RunButton } from './run-buttons.js';
import { Block, Command, Line, seconds } from './text.js';
import { Timeline } from './timeline.js';
import { WorkflowGraph } from './workflow.js';

interface Props {
  entry: OverviewEntry;
  index: number;
  route: Route;
  /** Changes with everything that happens while tests can be run; what is shown is read again then. */
  version: unknown;
  /** The tests before and after this one. */
  near: { before?: string; after?: string };
}

export function TestView({ entry, index, route, version, near }: Props) {
  const [details, setDetails] = useState<PageDetails>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => setDetails(undefined), [index]);
  useEffect(() => {
    let isOld = false;
    const show = (read: PageDetails) => {
      if (!isOld) setDetails(read);
    };
    readDetails(index).then(show, (error: unknown) => setProblem(String(error)));
    return () => {
      isOld = true;
    };
  }, [index, version]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') location.hash = linkTo({});
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <main>
      <nav aria-label="Tests" class="bar">
        <a href={linkTo({})}>← all tests</a>
        {near.before === undefined ? null : <a href={linkTo({ test: near.before })}>previous</a>}
        {near.after === undefined ? null : <a href={linkTo({ test: near.after })}>next</a>}
      </nav>
      <h2>
        <Mark status={entry.status} state={entry.state} /> <Line text={entry.name} /> <RunButton entry={entry} />
      </h2>
      <p class="dim">
        {entry.agent} {entry.version ?? ''} · {[entry.stage, entry.model, entry.target].filter(Boolean).join(' · ')} ·{' '}
        {seconds(entry.duration_ms)}
        {entry.file === undefined ? '' : ` · ${entry.file}`}
        {entry.tags.map((tag) => ` · @${tag.replace(/^@/, '')}`).join('')}
      </p>
      {problem === undefined ? null : <p class="bad">{problem}</p>}
      {details === undefined ? (
        <p class="loading">Reading …</p>
      ) : (
        <Details details={details} route={route} entry={entry} />
      )}
    </main>
  );
}

function Details({ details, route, entry: { key } }: { details: PageDetails; route: Route; entry: OverviewEntry }) {
  const { entry, notice } = details;
  const { diagnosis } = entry;
  const turns = useMemo(() => timelineOf(details), [details]);
  const path = useMemo(() => turns.flatMap(({ moves }) => moves), [turns]);
  return (
    <>
      {entry.reason === undefined ? null : (
        <p class="notice">
          <Line text={entry.reason} />
        </p>
      )}
      {entry.error === undefined ? null : (
        <div class="notice bad">
          <strong>{entry.error.code}</strong>
          <Block text={errorText(entry.error)} label="error" />
          {errorFix(entry.error) === undefined ? null : (
            <p>
              <strong>Fix:</strong> <Line text={errorFix(entry.error) ?? ''} />
            </p>
          )}
        </div>
      )}
      {diagnosis === undefined ? null : (
        <div class="notice">
          <strong>Diagnosis: {diagnosis.failure_type}</strong>
          <p>
            <Line text={diagnosis.root_cause_hypothesis} />
          </p>
          <ul>
            {diagnosis.potential_fixes.map(({ description }) => (
              <li>
                <Line text={description} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {path.length === 0 ? null : <Path moves={path} />}
      {entry.workflow === undefined ? null : <WorkflowGraph source={entry.workflow} moves={path} />}
      {entry.witnesses === undefined ? null : (
        <p class="dim">
          witnesses: {entry.witnesses.by.join(', ')}
          {entry.witnesses.unprotected === undefined ? null : ` (unprotected: ${entry.witnesses.unprotected})`}
        </p>
      )}
      <Command text={entry.rerun} />
      {entry.artifacts === undefined ? null : (
        <p class="dim">
          events, requests and project: <Line text={entry.artifacts} />
        </p>
      )}
      {notice === undefined ? null : <p class="notice">{notice}</p>}
      <Moment {...{ details, turns }} test={key} chosen={route.item} />
      <Timeline turns={turns} test={key} chosen={route.item} />
    </>
  );
}

/** The way through the workflow: each stage once, in the order in which it was reached. */
function Path({ moves }: { moves: readonly { from: string; to: string }[] }) {
  const stages = [moves[0]?.from ?? '', ...moves.map(({ to }) => to)];
  return (
    <ol class="path" aria-label="Workflow">
      {stages.map((stage) => (
        <li>
          <Line text={stage} />
        </li>
      ))}
    </ol>
  );
}
