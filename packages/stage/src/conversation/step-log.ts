import { join } from 'node:path';
import type { ConversationEvent, EventBody, Stage } from '@understudy/agents';
import { EventLog, type StepPlace } from './event-log.js';
import { ProjectWatch } from './project-watch.js';

/** Where a `run` step writes what happened, and asks what became of the project. */
export interface StepLog {
  append(event: EventBody, place: StepPlace): ConversationEvent;
  readonly events: readonly ConversationEvent[];
  /** What happened to the project since the last look. */
  changes(): EventBody[];
}

/** The log of a rehearsal that has `run` steps and no conversation. */
export function openStepLog({ cwd, artifacts, stage }: { cwd: string; artifacts: string; stage: Stage }): StepLog & {
  close(): void;
} {
  const log = new EventLog({ live: stage === 'live', file: join(artifacts, 'events.jsonl') });
  const watch = new ProjectWatch(cwd);
  watch.begin((files) => log.keepProject(files));
  return {
    append: (event, place) => log.appendOfStep(event, place),
    events: log.events,
    changes: () => watch.changes().events,
    close: () => log.close(),
  };
}
