import type { Case } from '../../packages/suites/src/drift/case.js';
import { sharedLines } from '../../packages/suites/src/drift/differences.js';
import type { Behavior, Observed } from '../../packages/suites/src/drift/observe.js';

/** What is kept of a run of the real CLI: what a comparison looks at, and nothing of this machine. */
export function recordable(test: Case, observed: Observed): Behavior {
  if (observed.exitCode === null) throw new Error(`"${test.name}" was cut off: this machine is too busy to record`);
  const { wire: _, refused: __, payloads, ...behavior } = observed;
  const kept: Behavior = {
    ...behavior,
    ...(payloads.length === 0 ? {} : { payloads }),
    stdout: observed.events.length > 0 ? '' : observed.stdout,
    transcripts: observed.transcripts.map(sharedLines),
  };
  return withoutTrivia(kept, JSON.stringify(test)) as Behavior;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const SOCKET = /\/tmp\/[\w/-]+\.sock/g;
/** Fields whose text is compared; elsewhere a long text is not worth its room. */
const COMPARED = new Set([
  ...['content', 'result', 'message', 'stdout', 'stderr', 'decision_reason', 'told', 'text', 'command', 'prompt'],
  ...['blockingError', 'last_assistant_message', 'compact_summary', 'delta'],
]);
const LONG_TEXT = 120;

/** Replaces what differs from run to run by something of the same kind, so that a new recording differs little. */
function withoutTrivia(value: unknown, input: string, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTrivia(item, input, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutTrivia(part, input, name)]));
  }
  if (typeof value === 'number' && /ms$|time(?!out)|duration|^pid$/i.test(key)) return 1;
  if (typeof value !== 'string') return value;
  if (value.length > LONG_TEXT && !COMPARED.has(key)) return '…';
  return value
    .replace(UUID, (id) => (input.includes(id) ? id : '00000000-0000-4000-8000-000000000000'))
    .replace(TIME, '2000-01-01T00:00:00.000Z')
    .replace(SOCKET, '/ROOT/socket');
}
