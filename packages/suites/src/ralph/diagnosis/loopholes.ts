import { EFFECTS, type EntryResult, failedOf, type LoopholeKind, quote } from '@understudy/verdict';
import { contextOf } from '../../orchestrators/context-schema.js';

/** Ways in which a loop passes without its work. */
export const LOOPHOLES: readonly LoopholeKind[] = [
  {
    title: 'The loop completes without the work',
    pattern: 'The loop ended as completed, while events or files that the task asks for are missing.',
    seen: (result) => (contextOf(result)?.termination_reason === 'completed' ? failedOf(result, EFFECTS) : []),
    suggestedCounter: 'list the events that a promise needs (event_loop.required_events)',
    newTest: (id) => `${id}-promise-needs-work`,
  },
  {
    title: 'Work is accepted without evidence',
    pattern: 'build.done was published without saying that the tests pass.',
    seen: (result) => (result.status === 'failed' ? unproven(result) : []),
    suggestedCounter: 'let the orchestrator publish build.blocked instead',
    newTest: (id) => `${id}-evidence-required`,
  },
  {
    title: 'A case passes without the thing under test',
    pattern: 'A baseline, which takes the thing under test away, did not fail.',
    seen: (result) =>
      (result.baselines ?? [])
        .filter(({ red }) => !red)
        .map(
          ({ condition, still_green: names }) => `without it ("${condition}") these did not fail: ${names.join('; ')}`,
        ),
    suggestedCounter: 'check something that only the thing under test can bring about',
    newTest: (id) => `${id}-needs-its-subject`,
  },
];

function unproven(entry: EntryResult): string[] {
  return (contextOf(entry)?.events_emitted ?? [])
    .filter(({ topic, payload }) => topic === 'build.done' && !/tests:\s*pass/.test(payload))
    .map(({ payload }) => `build.done was published with ${quote(payload)}`);
}
