import type { ConversationEvent } from '@understudy/agents';
import { cut, cutTexts, defined } from '@understudy/kit';
import type { EntryResult } from '../../results/entry-result.js';
import { reportedDiagnosis } from '../../results/reported-diagnosis.js';
import type { RunResult } from '../../results/run-result.js';
import { describeReason, failureSentence } from '../failure-summary.js';
import { suiteView } from '../suite-view.js';
import type { TimelineTurn } from './timeline-turn.js';

/** What the page knows of every test before one is opened. */
export interface PageOverview {
  run: Omit<RunResult, 'entries'>;
  entries: OverviewEntry[];
  /** Only where tests can be run from the page. */
  live?: {
    /** Files that could not be read. */
    problems: string[];
    running: number;
    waiting: number;
  };
}

export interface OverviewEntry
  extends Pick<
    EntryResult,
    | 'id'
    | 'name'
    | 'file'
    | 'tags'
    | 'group'
    | 'agent'
    | 'stage'
    | 'model'
    | 'target'
    | 'round'
    | 'status'
    | 'reason'
    | 'duration_ms'
  > {
  /** In links; the same from one run to the next. */
  key: string;
  /** The version of the agent, as it reported it. */
  version?: string;
  /** Why it is red. */
  failure?: string;
  /** Where tests can be run from the page: it runs, it will, or it never did. */
  state?: 'running' | 'waiting' | 'idle';
}

/** A request to the scripted model, without its body. */
export interface PageRequest {
  number: number;
  at: string;
  milliseconds?: number;
  kind?: string;
  status?: number;
  model?: string;
  path?: string;
  prompt?: string;
  results?: unknown;
  rulePath?: string;
  auxiliary?: string;
  failure?: string;
  problem?: string;
  answer?: { text?: string; thinking?: string; tools?: unknown[]; stop?: string };
}

/** What the page knows of one test, when it is opened. */
export interface PageDetails {
  /** With the diagnosis that says more than what is shown beside it. */
  entry: Omit<EntryResult, 'context'>;
  events: ConversationEvent[];
  requests: PageRequest[];
  /** What happened outside the conversation, as the suite of the entry shows it. */
  turns?: TimelineTurn[];
  /** The files of the project before the first turn. */
  project?: PageProject;
  /** What was left out, and where it is. */
  notice?: string;
}

export interface PageProject {
  files: { path: string; text?: string }[];
  /** How many files were left out. */
  more: number;
}

export interface EntryLogs {
  events: ConversationEvent[];
  requests: PageRequest[];
  project?: PageProject;
}

const LONGEST_TEXT = 20_000;
const MOST_EVENTS = 5_000;

export function overviewOf({ entries: _, ...run }: RunResult, entries: OverviewEntry[]): PageOverview {
  return { run: cutAll(run), entries };
}

export function overviewEntry(entry: EntryResult, logs: EntryLogs | undefined): OverviewEntry {
  const { id, name, file, tags, group, agent, stage, model, target, round, status, reason, duration_ms } = entry;
  const version = logs?.events.findLast((event) => event.type === 'session' && event.version !== undefined);
  const isQuiet = status === 'passed' || status === 'skipped';
  const why = describeReason({ status, reason });
  return {
    ...cutAll({ id, name, tags, agent, stage, round, status, duration_ms }),
    key: keyOf(entry),
    ...defined({ file, group, target }),
    ...(model === undefined ? {} : { model: cut(model, 200) }),
    ...(why === undefined ? {} : { reason: cut(why, 500) }),
    ...(version?.type === 'session' && version.version !== undefined ? { version: version.version } : {}),
    ...(isQuiet ? {} : { failure: cut(failureSentence(entry), 500) }),
  };
}

/** Ids of cases have no stage. */
function keyOf({ id, kind, stage, round }: EntryResult): string {
  const place = kind === 'rehearsal' || id.endsWith(` ${stage}`) ? id : `${id} ${stage}`;
  return round > 1 ? `${place} round ${round}` : place;
}

export function detailsOf(entry: EntryResult, { events, requests, project }: EntryLogs): PageDetails {
  const rest = events.length - MOST_EVENTS;
  const { context, diagnosis: _, ...shown } = cutAll(entry);
  return {
    entry: { ...shown, ...cutAll(defined({ diagnosis: reportedDiagnosis(entry) })) },
    ...(context === undefined ? {} : { turns: suiteView().turns({ ...shown, context }) }),
    events: cutAll(events.slice(0, MOST_EVENTS)),
    requests: cutAll(requests),
    ...(project === undefined ? {} : { project: cutAll(project) }),
    ...(rest > 0 ? { notice: `${rest} more events are in the logs` } : {}),
  };
}

function cutAll<T>(value: T): T {
  return cutTexts(value, LONGEST_TEXT);
}
