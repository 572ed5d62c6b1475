import {
  type EventOf,
  eventOfHook,
  hookEventFacts,
  hookEventNames,
  isHookEventName,
  isUnreported,
  matcherSubjectsOf,
  problemOf,
} from '@understudy/agents';
import { defined, field, nearestWord, type Path, required, shortenLine, type UnlocatedProblem } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern } from '@understudy/script';
import { missedPath, notVisible, pick, VISIBLE_FIX } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, each, givenAt, positive, type Saying, saying, type Written, words } from './define-check.js';
import { describeAgent, ifAgentsKnown, isOfAgent, unknownAgent } from './hook-agent.js';
import { ifInItsPlace } from './hook-place.js';
import { type UnknownName, unknownAmong, unknownSubjects, unlessUnknown } from './known-names.js';
import { inOrder, type Observed } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';
import { contradiction, reviewEmpty, reviewPattern } from './review-expected.js';

type FinishedHook = EventOf<'hook_finished'>;

const schema = z.strictObject({
  event: required('The event: PreToolUse, SessionEnd …', z.string()),
  on: field('What it was matched on, usually the tool: the part of the name behind the colon.', z.string()),
  agent: field(
    'In which agent it ran: "main", or the type of a subagent. Without it, in any.',
    z.string().check(z.minLength(1)),
  ),
  fired: field('false: no hook of the event may run.', z.boolean()),
  blocked: field('Whether it blocked.', z.boolean()),
  exit_code: field('The code with which it ended.', z.int()),
  reason: field('Why it objected, in its own words: stderr with exit code 2, or the reason in its JSON.', saying),
  stdout: field('A text that it wrote to stdout, or a pattern.', saying),
  stderr: field('A text that it wrote to stderr, or a pattern.', saying),
  count: field('How many runs are like this; without it, at least one.', positive),
});
export type ExpectedHook = Written<typeof schema>;

/**
 * Whether a hook fired in the turn, and what it did. A hook that never finished has not fired, and one that died let
 * nothing pass. `besides` is what else is expected: without a run that blocks among it, `blocked: false` is about all.
 */
export function checkHook(seen: Observed, expected: ExpectedHook, besides: readonly ExpectedHook[] = []): CheckResult {
  const { event, on, agent, fired = true, count } = expected;
  const finished = pick(seen.turn, 'hook_finished');
  const name = on === undefined ? event : `${event}:${on}`;
  const named = finished.filter((hook) => isNamed(hook, name));
  const matching = named.filter((hook) => isOfAgent(seen, hook, agent));
  const fitting = matching.filter((hook) => fits(hook, expected));
  const enough = count === undefined ? fitting.length > 0 : fitting.length === count;
  const mayBlock =
    !isAboutAll(expected) || besides.some((other) => other.blocked === true && isSameHook(other, expected));
  const isLet = mayBlock || !matching.some((hook) => hook.blocked);
  const passed = fired ? enough && isLet : matching.length === 0;
  const result: CheckResult = {
    name: 'hook',
    category: 'hooks',
    subject: { kind: 'hook', event, ...defined({ on }) },
    status: statusOf(passed),
    present: matching.length > 0,
    expected: fired ? describeExpected(name, expected) : `${name} does not fire${describeAgent(agent)}`,
    actual:
      matching.length === 0 ? `${name} did not fire${describeAgent(agent)}` : matching.map(describeHook).join('; '),
    evidence: finished.map(describeHook),
    ...(passed ? {} : { suggestion: suggestion(expected, name, { matching, fitting, all: finished }) }),
  };
  const known = unlessUnknown(result, 'hook event', matching.length > 0 ? [] : unknownEvents([event]));
  const ofAgent = unlessUnknown(ifAgentsKnown(seen, named, expected, known), 'subagent', unknownAgent(seen, agent));
  const placed = ifInItsPlace(seen, { event, on }, unlessUnknown(ofAgent, 'tool', unknownSubject(seen, event, on)));
  return ifReported(seen, isUnreported(event) ? 'untold_hooks' : 'hooks', placed);
}

/** Nothing in it says which of several runs is meant. */
function isAboutAll({ blocked, count, reason, stdout, stderr }: ExpectedHook): boolean {
  return blocked === false && [count, reason, stdout, stderr].every((one) => one === undefined);
}

function isSameHook(one: ExpectedHook, other: ExpectedHook): boolean {
  const mayBe = (name: 'on' | 'agent') =>
    one[name] === undefined || other[name] === undefined || one[name] === other[name];
  return one.event === other.event && mayBe('on') && mayBe('agent');
}

/** Names that are no hook event. */
export function unknownEvents(events: readonly string[]): UnknownName[] {
  return unknownAmong(hookEventNames, events, (wanted, name) => wanted === name);
}

/** A hook of a tool is named by it, letter by letter. */
function unknownSubject(seen: Observed, event: string, on: string | undefined): UnknownName[] {
  return on === undefined || hookEventFacts(event).matches !== 'tool_name' ? [] : unknownSubjects(seen, on);
}

/** It gave no answer: it was ended or failed, or the CLI could not use what it said. */
export function hasDied({ blocked, exitCode, outcome }: EventOf<'hook_finished'>): boolean {
  return !blocked && (outcome === 'cancelled' || (outcome === 'error' && exitCode !== 2));
}

/**
 * Whether every hook that ran gave an answer: one failed check for each hook that died, however often it did.
 * Nothing where all are alive, or are expected to end with that exit code.
 */
export function checkHooksAlive(
  events: Observed['all'],
  expected: readonly Pick<ExpectedHook, 'event' | 'on' | 'exit_code'>[] = [],
): CheckResult[] {
  // Who expects 0 means a hook that is alive.
  const isMeant = (hook: FinishedHook) =>
    expected.some(
      ({ event, on, exit_code = 0 }) =>
        exit_code !== 0 && hook.exitCode === exit_code && isNamed(hook, on === undefined ? event : `${event}:${on}`),
    );
  const died = pick(events, 'hook_finished').filter(
    (hook) => (diedByItself(hook, events) || lostWords(hook) !== undefined) && !isMeant(hook),
  );
  const unlike = new Map(died.map((hook) => [describeHook(hook), hook]));
  return [...unlike].map(([described, hook]) => ({
    name: 'hooks are alive',
    category: 'hooks',
    subject: { kind: 'hook', event: hook.event },
    status: 'failed',
    present: true,
    expected: `${hook.name} ends with exit 0 or with 2 to block, and what it says can be used`,
    actual: described + lostBy(hook),
    evidence: died.filter((other) => describeHook(other) === described).map(describeHook),
    suggestion: repair(hook, events),
  }));
}

function repair({ stderr }: FinishedHook, events: Observed['all']): string {
  const missed = missedPath(stderr, pick(events, 'isolation').at(-1)?.hidden ?? []);
  if (missed !== undefined) return `${notVisible(missed)}. ${VISIBLE_FIX}`;
  return 'Repair the hook. If it is meant to be so, expect its `exit_code`, or `plugins = "any"`.';
}

function lostBy(hook: FinishedHook): string {
  const lost = lostWords(hook);
  return lost === undefined ? '' : `: the CLI cannot use what it said: ${lost}`;
}

/** Why the CLI uses nothing of what a hook of exit 0 said. One without an exit code asked a model. */
function lostWords({ event, stdout, exitCode, outcome }: FinishedHook): string | undefined {
  return exitCode === 0 && outcome === 'success' ? problemOf({ event, stdout, exitCode, outcome }) : undefined;
}

/**
 * The CLI ends hooks that still run when a turn is stopped or the session ends (`async` ones, too): those did not die by
 * themselves. One that ended within its own turn, which went on, was killed or ran out of time.
 */
function diedByItself(hook: EventOf<'hook_finished'>, events: Observed['all']): boolean {
  if (!hasDied(hook)) return false;
  if (hook.outcome !== 'cancelled' && !isSignal(hook.exitCode)) return true;
  const at = events.indexOf(hook);
  const firstPrompt = events.findIndex(({ type }) => type === 'prompt' || type === 'command');
  if (firstPrompt === -1 || at < firstPrompt) return true;
  const started = pick(events, 'hook_started').find(({ id }) => id === hook.id);
  const end = events.findIndex(({ type, turn }) => type === 'turn_ended' && turn === hook.turn);
  const ended = events[end];
  const wentOn = ended?.type === 'turn_ended' && (ended.outcome === 'completed' || ended.outcome === 'failed');
  return (started === undefined || started.turn === hook.turn) && wentOn && at < end;
}

/** The exit code of a command that a signal has ended. Larger ones are those of a server that a hook asked. */
function isSignal(exitCode = 0): boolean {
  return exitCode > 128 && exitCode < 200;
}

/** Whether hooks fired in this order; others may fire in between. */
export function checkHookOrder(seen: Observed, order: readonly string[]): CheckResult {
  const finished = pick(seen.turn, 'hook_finished');
  const isUnreportedPart = order.some((name) => isUnreported(eventOfHook(name)));
  return ifReported(seen, isUnreportedPart ? 'untold_hooks' : 'hooks', {
    name: 'hooks: order',
    category: 'hooks',
    subject: { kind: 'hook', event: order.join(' → ') },
    status: statusOf(inOrder(order, finished, (wanted, hook) => isNamed(hook, wanted))),
    expected: order.join(' → '),
    actual: finished.length === 0 ? 'no hook fired' : finished.map((hook) => hook.name).join(', '),
    evidence: finished.map(describeHook),
  });
}

/** `PreToolUse` names all of its hooks, `PreToolUse:Bash` those of the tool. */
function isNamed(hook: FinishedHook, name: string): boolean {
  return hook.event === name || hook.name === name;
}

function fits(hook: FinishedHook, { blocked, exit_code, reason, stdout, stderr }: ExpectedHook): boolean {
  return (
    (blocked === undefined || (hook.blocked === blocked && (exit_code !== undefined || !hasDied(hook)))) &&
    (exit_code === undefined || hook.exitCode === exit_code) &&
    matches(reason, hook.reason ?? '') &&
    matches(stdout, hook.stdout) &&
    matches(stderr, hook.stderr)
  );
}

function matches(wanted: Saying | undefined, text: string): boolean {
  return wanted === undefined || compileTextPattern(asTextPattern(wanted)).match(text.trim()) !== undefined;
}

function describeExpected(
  name: string,
  { agent, blocked, exit_code, reason, stdout, stderr, count }: ExpectedHook,
): string {
  const texts = { reason, stdout, stderr };
  return [
    `${name} fires${describeAgent(agent)}${count === undefined ? '' : ` ${count === 1 ? 'once' : `${count} times`}`}`,
    ...(blocked === undefined ? [] : [blocked ? 'and blocks' : 'and does not block']),
    ...(exit_code === undefined ? [] : [`with exit ${exit_code}`]),
    ...Object.entries(texts).flatMap(([name, wanted]) =>
      wanted === undefined ? [] : [`with ${name} ${describePattern(asTextPattern(wanted))}`],
    ),
  ].join(' ');
}

function describeHook({ name, blocked, exitCode, outcome, reason, stdout, stderr }: FinishedHook): string {
  const said = shortenLine(reason || stderr || stdout);
  return `${name} ${blocked ? 'blocked' : outcome}${exitCode === undefined ? '' : ` (exit ${exitCode})`}${said === '' ? '' : `: ${said}`}`;
}

function suggestion(
  { fired, count, blocked }: ExpectedHook,
  name: string,
  seen: Record<'matching' | 'fitting' | 'all', readonly FinishedHook[]>,
): string {
  const { matching, fitting, all } = seen;
  if (fired === false) return 'Make its matcher narrower: it matches more than it should.';
  if (count !== undefined && fitting.length > 0) return `Look at its matcher: ${fitting.length} runs are like this.`;
  if (blocked === false && matching.some(hasDied))
    return 'Mend the hook, or expect its `exit_code`: it died or said what the CLI cannot use, and decides nothing.';
  if (blocked === false && fitting.length > 0)
    return 'One run blocked. If that is meant, expect it, too: an entry with `blocked = true`.';
  if (blocked === true && matching.some((hook) => hook.exitCode === 1))
    return 'Use exit code 2 or {"decision":"block"}: exit code 1 does not block.';
  if (matching.length > 0) return 'Look at its output: it fired, but did something else.';
  const others = [...new Set(all.map((hook) => hook.name))];
  return `Look at hooks.json: ${name} is not in it, or its matcher does not match. ${others.length === 0 ? 'No hook fired at all.' : `These fired: ${others.join(', ')}.`}`;
}

export const hooks = defineCheck({
  fields: {
    hooks: field('Hooks that ran, each with its result; with fired = false, a hook that did not run.', z.array(schema)),
  },
  scopes: ['step', 'call', 'start', 'end'],
  page: 'checks.md#hooks',
  judge: (seen, { hooks }, place) => each(place, ['hooks'], hooks, (hook) => [checkHook(seen, hook, hooks)]),
  review: ({ hooks }) => [...reviewEmpty('hooks', hooks), ...(hooks ?? []).flatMap(reviewHook)],
});

/** Hooks in the order in which they fired: `PreToolUse`, `PostToolUse:Bash`. */
export const hookOrder = defineCheck({
  fields: { hook_order: field('Hooks in the order in which they ran: PreToolUse, PostToolUse:Bash.', words) },
  scopes: ['step'],
  page: 'checks.md#hooks',
  judge: (seen, { hook_order }, place) =>
    givenAt(place)(['hook_order'], hook_order, (order) => [checkHookOrder(seen, order)]),
  review: ({ hook_order }) =>
    (hook_order ?? []).flatMap((name, index) => reviewEvent(eventOfHook(name), 'hook_order', index)),
});

const ONLY_NAMES: readonly string[] = ['event', 'on', 'agent', 'fired'];

function reviewHook(hook: ExpectedHook, index: number): UnlocatedProblem[] {
  const { event, fired, reason, stdout, stderr } = hook;
  const asksMore = Object.keys(hook).some((name) => !ONLY_NAMES.includes(name));
  return [
    ...(fired === false && asksMore
      ? [contradiction('a hook that must not fire can neither block nor say anything', 'hooks', index)]
      : []),
    ...Object.entries({ reason, stdout, stderr }).flatMap(([name, text]) => reviewPattern(text, 'hooks', index, name)),
    ...reviewEvent(event, 'hooks', index, 'event'),
    ...reviewSubject(hook, 'hooks', index, 'on'),
  ];
}

/** Events that do not exist. */
function reviewEvent(event: string, ...path: Path): UnlocatedProblem[] {
  return reviewWord(event, hookEventNames, `${event} is not a hook event`, path);
}

/** Things to be matched on that the event does not have. */
function reviewSubject({ event, on }: ExpectedHook, ...path: Path): UnlocatedProblem[] {
  if (on === undefined || !isHookEventName(event)) return [];
  const subjects = matcherSubjectsOf(event);
  if (subjects === undefined) {
    const message = `hooks of ${event} are not matched on anything, so \`on\` can never be met`;
    return [{ code: 'EXPECTS_NOTHING', message, fix: 'Remove `on`.', path }];
  }
  // Which tools there are is known when the agent has started.
  if (subjects.list === 'open' || hookEventFacts(event).matches === 'tool_name') return [];
  return reviewWord(on, subjects.known, `${event} never fires on "${on}"`, path);
}

function reviewWord(word: string, known: readonly string[], message: string, path: Path): UnlocatedProblem[] {
  if (known.includes(word)) return [];
  const near = nearestWord(word, known);
  const fix = near === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${near}?`;
  return [{ code: 'HOOK_EVENT_UNKNOWN', message, fix, path }];
}
