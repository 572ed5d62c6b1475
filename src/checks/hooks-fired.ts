import type { EventOf } from '../agents/events.js';
import { pick } from '../conversation/turn.js';
import { ifInItsPlace } from './hook-place.js';
import { type Observed, shorten } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedHook {
  /** The event: `PreToolUse`, `SessionEnd` … */
  event: string;
  /** What it was matched on, usually the tool: the part of the name behind the colon. */
  on?: string | undefined;
  /** `false`: it must not have fired. */
  fired?: boolean | undefined;
  blocked?: boolean | undefined;
  exit_code?: number | undefined;
}

const START_EVENTS = ['Setup', 'SessionStart'];

/** Whether a hook fired in the turn, and what it did. A hook that died let nothing pass, unless its exit code is expected. */
export function checkHook(seen: Observed, { event, on, fired = true, blocked, exit_code }: ExpectedHook): CheckResult {
  const finished = pick(seen.turn, 'hook_finished');
  const matching = finished.filter(
    (hook) => hook.event === event && (on === undefined || hook.name === `${event}:${on}`),
  );
  const fitting = matching.filter(
    (hook) =>
      (blocked === undefined || (hook.blocked === blocked && (exit_code !== undefined || !hasDied(hook)))) &&
      (exit_code === undefined || hook.exitCode === exit_code),
  );
  const passed = fired ? fitting.length > 0 : matching.length === 0;
  const name = on === undefined ? event : `${event}:${on}`;
  const result: CheckResult = {
    name: 'hook',
    category: 'hooks',
    subject: { kind: 'hook', event, ...(on === undefined ? {} : { on }) },
    status: statusOf(passed),
    present: matching.length > 0,
    expected: fired
      ? `${name} fires${blocked === undefined ? '' : blocked ? ' and blocks' : ' and does not block'}${exit_code === undefined ? '' : ` with exit ${exit_code}`}`
      : `${name} does not fire`,
    actual: matching.length === 0 ? `${name} did not fire` : matching.map(describeHook).join('; '),
    evidence: finished.map(describeHook),
    ...(passed ? {} : { suggestion: suggestion(fired, blocked, name, matching, finished) }),
  };
  return ifReported(seen, event === 'SessionEnd' ? 'session_end' : 'hooks', ifInItsPlace(seen, { event, on }, result));
}

/** It gave no answer: it was ended, or its exit code is neither 0 nor 2. */
export function hasDied({ blocked, exitCode = 0, outcome }: EventOf<'hook_finished'>): boolean {
  return !blocked && (outcome === 'cancelled' || (exitCode !== 0 && exitCode !== 2));
}

/** Whether the hooks of the session's start are alive; nothing where all of them are, or are expected to die. */
export function checkStartHooks(
  { events }: { events: Observed['all'] },
  expected: readonly ExpectedHook[] = [],
): CheckResult[] {
  const meant = expected.filter(({ exit_code }) => exit_code !== undefined).map(({ event }) => event);
  const died = pick(events, 'hook_finished').filter(
    (hook) => START_EVENTS.includes(hook.event) && !meant.includes(hook.event) && hasDied(hook),
  );
  return died.map((hook) => ({
    name: 'hook at the start',
    category: 'hooks',
    subject: { kind: 'hook', event: hook.event },
    status: 'failed',
    present: true,
    expected: `${hook.name} ends with exit 0`,
    actual: describeHook(hook),
    evidence: [describeHook(hook)],
    suggestion: 'Mend the hook. If it is meant to be so, expect `plugins = "any"`.',
  }));
}

function describeHook({ name, blocked, exitCode, outcome, stdout, stderr }: EventOf<'hook_finished'>): string {
  const said = shorten(stderr || stdout);
  return `${name} ${blocked ? 'blocked' : outcome}${exitCode === undefined ? '' : ` (exit ${exitCode})`}${said === '' ? '' : `: ${said}`}`;
}

function suggestion(
  fired: boolean,
  wanted: boolean | undefined,
  name: string,
  matching: readonly EventOf<'hook_finished'>[],
  all: readonly EventOf<'hook_finished'>[],
): string {
  if (!fired) return 'its matcher is wider than it should be';
  if (wanted === false && matching.some(hasDied))
    return 'it died, and a dead hook decides nothing: mend the hook, or expect its `exit_code`';
  if (matching.some((hook) => hook.exitCode === 1))
    return 'exit 1 does not block; exit 2 does, or {"decision":"block"}';
  if (matching.length > 0) return 'it fired, but did something else: look at its output';
  const others = [...new Set(all.map((hook) => hook.name))];
  return `${name} is not wired, or its matcher does not match${others.length === 0 ? '; no hook fired at all' : `; these fired: ${others.join(', ')}`}`;
}
