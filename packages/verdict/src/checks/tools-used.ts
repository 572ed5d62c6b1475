import { isDeepStrictEqual } from 'node:util';
import { lostServer } from '@understudy/agents';
import { countOf, field, required } from '@understudy/kit';
import { compileTextPattern, type TextPattern, toGenericArguments } from '@understudy/script';
import * as z from 'zod/mini';
import { defineCheck, each, keysOf, positive, type Written, words } from './define-check.js';
import { namesTool, unknownTools, unlessUnknown } from './known-names.js';
import { describeTool, inOrder, type Observed, type ObservedTool, observedTools } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';
import { asksNothing, asksSomething, reviewPattern } from './review-expected.js';

const callSchema = z.strictObject({
  tool: required('The tool that is called.', z.string()),
  input: field(
    'Arguments that it is called with; a pattern is held against a text.',
    z.record(z.string(), z.unknown()),
  ),
  status: field('How the call ended.', z.enum(['ok', 'error', 'denied', 'blocked'])),
});
const schema = z.strictObject({
  any: field('At least one of these tools.', words),
  all: field('All of these tools.', words),
  none: field('None of these tools.', words),
  order: field('These tools in this order; others may come between.', words),
  calls: field('Calls that are made.', z.array(callSchema)),
  max_repeats: field('No call is made more often than this with the same input.', positive),
});
export type ExpectedCall = Written<typeof callSchema>;
export type ExpectedTools = Written<typeof schema>;

/** Which tools the agent used, how, and in what order. One result for each thing that is asked. */
export function checkToolsUsed(seen: Observed, expected: ExpectedTools): CheckResult[] {
  const used = observedTools(seen.turn);
  const names = used.map((call) => call.tool);
  // Whoever was called and went away was not used; that it was called still counts for `none`.
  const answered = used.filter(({ result }) => result === undefined || lostServer(result) === undefined);
  const useful = answered.map((call) => call.tool);
  const has = (wanted: string) => useful.some((name) => namesTool(wanted, name));
  const isCalled = (wanted: string) => names.some((name) => namesTool(wanted, name));
  const results: CheckResult[] = [];
  const add = (
    what: string,
    tools: readonly string[],
    wanted: string,
    passed: boolean,
    suggestion?: string,
    seenAs?: readonly string[],
  ) =>
    results.push({
      name: `tools: ${what}`,
      category: 'tools',
      subject: { kind: 'tool', tools: [...tools] },
      present: what === 'none' ? tools.some(isCalled) : what === 'any' ? tools.some(has) : tools.every(has),
      status: statusOf(passed),
      expected: wanted,
      actual: used.length === 0 ? 'no tool was used' : (seenAs ?? names).join(', '),
      evidence: used.map(describeTool),
      ...(passed || suggestion === undefined ? {} : { suggestion }),
    });
  const { any, all, none, order, calls, max_repeats } = expected;
  if (any !== undefined) add('any', any, `one of ${any.join(', ')}`, any.some(has));
  if (all !== undefined)
    add(
      'all',
      all,
      `all of ${all.join(', ')}`,
      all.every(has),
      `Let the script call ${all.filter((tool) => !has(tool)).join(', ')}, or take it out of \`all\`.`,
    );
  if (none !== undefined) add('none', none, `none of ${none.join(', ')}`, !none.some(isCalled));
  if (order !== undefined) add('order', order, order.join(' → '), inOrder(order, useful, namesTool));
  for (const call of calls ?? []) {
    add(
      'calls',
      [call.tool],
      describeExpected(call),
      used.some((one) => matchesCall(call, one)),
      fixOfCall(call, used),
      used.map((one) => `${one.tool} → ${one.result?.status ?? 'no result'}`),
    );
  }
  if (max_repeats !== undefined) {
    const [most = 0, which = ''] = mostRepeated(used);
    add(
      'repeats',
      [...new Set(names)],
      `no call more than ${countOf(max_repeats, 'time')}`,
      most <= max_repeats,
      `Find out why ${which} was made ${countOf(most, 'time')}, or raise \`max_repeats\`.`,
    );
  }
  return results.map((result) => {
    const named = result.subject.kind === 'tool' ? result.subject.tools : [];
    return ifReported(seen, 'tools', unlessUnknown(result, 'tool', unknownTools(seen, named)));
  });
}

/** What to change: the nearest call is the one that differs least. */
function fixOfCall(expected: ExpectedCall, used: readonly ObservedTool[]): string {
  const { tool, input, status } = expected;
  const named = used.filter((one) => namesTool(tool, one.tool));
  if (named.length === 0) return `Let the script call ${tool}, or expect a tool that was used.`;
  const other = named.find((one) => matchesCall({ tool, input }, one));
  if (other === undefined)
    return `Expect the input with which ${tool} was called, or let the script call it with this one.`;
  const came = other.result?.status ?? 'no result';
  const why = WHY[came];
  return `Find out why the call was ${came} and not ${status}${why === undefined ? '' : ` (${why})`}, or expect \`status = "${came}"\`.`;
}

/** Who decides that a call ends like this. */
const WHY: Readonly<Record<string, string>> = {
  denied: 'a permission rule, the mode or the user did not allow it',
  blocked: 'a hook stopped it',
  error: 'the tool failed',
  ok: 'nothing stopped it',
};

function matchesCall(expected: ExpectedCall, seen: ObservedTool): boolean {
  if (!namesTool(expected.tool, seen.tool)) return false;
  if (expected.status !== undefined && seen.result?.status !== expected.status) return false;
  const wanted = expected.input ?? {};
  return matchesInput(wanted, seen.input) || matchesInput(toGenericArguments(wanted), toGenericArguments(seen.input));
}

function matchesInput(wanted: Record<string, unknown>, seen: Record<string, unknown>): boolean {
  return Object.entries(wanted).every(([key, value]) => matchesValue(value, seen[key]));
}

function matchesValue(wanted: unknown, seen: unknown): boolean {
  if (isPattern(wanted)) return typeof seen === 'string' && compileTextPattern(wanted).match(seen.trim()) !== undefined;
  return isDeepStrictEqual(wanted, seen);
}

const PATTERN_TYPES: readonly unknown[] = ['exact', 'contains', 'regex', 'glob', 'any'] satisfies TextPattern['type'][];

function isPattern(value: unknown): value is TextPattern {
  return typeof value === 'object' && value !== null && 'type' in value && PATTERN_TYPES.includes(value.type);
}

function mostRepeated(used: readonly ObservedTool[]): [number, string] | [] {
  const counts = new Map<string, number>();
  for (const { tool, input } of used) {
    const call = `${tool} ${JSON.stringify(input)}`;
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most === undefined ? [] : [most[1], most[0]];
}

function describeExpected({ tool, input, status }: ExpectedCall): string {
  return [
    tool,
    ...(input === undefined ? [] : [JSON.stringify(input)]),
    ...(status === undefined ? [] : [`→ ${status}`]),
  ].join(' ');
}

export const tools = defineCheck({
  fields: { tools: field('The tools that were used; calls = [{ tool, input, status }] for details.', schema) },
  scopes: ['step', 'call'],
  page: 'checks.md#names-that-nothing-has',
  judge: (seen, { tools }, place) =>
    keysOf(tools).flatMap((key) =>
      key === 'calls'
        ? each(place, ['tools', 'calls'], tools?.calls, (call) => checkToolsUsed(seen, { calls: [call] }))
        : place(['tools', key], checkToolsUsed(seen, { [key]: tools?.[key] })),
    ),
  review: ({ tools }) => [
    ...(tools === undefined || (asksSomething(tools) && tools.calls?.length !== 0) ? [] : [asksNothing('tools')]),
    ...(tools?.calls ?? []).flatMap(({ input = {} }, index) =>
      Object.entries(input).flatMap(([name, value]) => reviewPattern(value, 'tools', 'calls', index, 'input', name)),
    ),
  ],
});
