import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';

/** An entry as reporters know it before it has a result. */
export type AnnouncedEntry = Pick<
  EntryResult,
  'id' | 'name' | 'agent' | 'stage' | 'model' | 'target' | 'round' | 'group'
>;

/** What is known before the first entry starts. */
export type RunStart = Pick<
  RunResult,
  'command' | 'understudy_version' | 'config' | 'agents' | 'orchestrator' | 'isolation'
> & {
  entries: readonly AnnouncedEntry[];
  /** The versions of the real CLIs, by the agents of the entries, where they are known before anything starts. */
  versions?: Readonly<Record<string, string>>;
};

/** Receives what happens in a run. `run` and `e2e` use the same ones. */
export interface Reporter {
  start(run: RunStart): void;
  begin(entry: AnnouncedEntry): void;
  step(entry: AnnouncedEntry, number: number, total: number, what: string): void;
  end(entry: AnnouncedEntry, result: EntryResult): void;
  finish(run: RunResult): void;
}

/** Passes everything on to several reporters. */
export function combineReporters(reporters: readonly Reporter[]): Reporter {
  const each = (tell: (reporter: Reporter) => void) => {
    for (const reporter of reporters) tell(reporter);
  };
  return {
    start: (run) => each((reporter) => reporter.start(run)),
    begin: (entry) => each((reporter) => reporter.begin(entry)),
    step: (entry, number, total, what) => each((reporter) => reporter.step(entry, number, total, what)),
    end: (entry, result) => each((reporter) => reporter.end(entry, result)),
    finish: (run) => each((reporter) => reporter.finish(run)),
  };
}

/** A reporter that has nothing to say before the end. */
export function atEnd(finish: (run: RunResult) => void): Reporter {
  return { start() {}, begin() {}, step() {}, end() {}, finish };
}
