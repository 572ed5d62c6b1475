import { field, required, shortenLine, type UnlocatedProblem } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import * as z from 'zod/mini';
import { defineCheck, givenAt, saying, sayings, type Written } from './define-check.js';
import { namesTool, unknownTools, unlessUnknown } from './known-names.js';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';
import { asksNothing, asksSomething, reviewPattern } from './review-expected.js';

const toolSchema = z.strictObject({
  name: required('The tool that was offered.', z.string()),
  description: field('A text that its description contains, or a pattern.', saying),
});
const schema = z.strictObject({
  agent: field('The subagent that was told; without it, the agent itself.', z.string()),
  system: field('Texts in the system prompt, or in the notes of the CLI itself.', sayings),
  message: field('Texts in a message of this turn: a prompt, a tool result, a skill, a note of a hook.', sayings),
  tools: field('Tools that were offered.', z.array(z.union([z.string(), toolSchema]))),
});

/** What the model must have been told. */
export type ExpectedTold = Written<typeof schema>;
interface ExpectedTool {
  name: string;
  description?: TextPattern | undefined;
}

type Place = 'system' | 'message' | 'tools';

/** What was found of one thing, and whether what is missing may still have been there. */
interface Found {
  there: boolean;
  /** Why its absence proves nothing. */
  doubt?: string | undefined;
  seen: string;
  evidence: readonly string[];
}

/** Whether the model was told something, or must not have been. One result for each thing that is asked. */
export function checkTold(
  seen: Observed,
  { agent, system = [], message = [], tools = [] }: ExpectedTold,
  { not = false } = {},
): CheckResult[] {
  const told = seen.told?.() ?? { unknown: 'this log does not hold the requests to the model' };
  const who = agent === undefined ? 'the model' : `the subagent ${agent}`;
  const all = 'requests' in told ? told.requests : [];
  const subagents = not && agent === undefined ? [...new Set(all.flatMap((request) => request.agent ?? []))] : [];
  const result = (place: Place, words: string, part: ExpectedTold, find: () => Found): CheckResult => {
    const found = find();
    const heard = found.there ? [] : subagents.filter((name) => isTold(seen, { ...part, agent: name }));
    const judged = found.doubt === undefined || found.there;
    return {
      name: `${not ? 'not told' : 'told'}: ${place}`,
      category: 'told',
      subject: { kind: 'told', in: place, words },
      status: judged ? statusOf(found.there !== not) : 'unjudged',
      present: found.there,
      expected: `${who} is ${not ? 'not ' : ''}${place === 'tools' ? 'offered' : 'told'} ${words}`,
      actual: [judged ? found.seen : (found.doubt ?? found.seen), ...heard.map(toSubagent)].join('; '),
      evidence: [...found.evidence],
      ...(judged ? {} : { suggestion: 'Run it on the stage `scripted`, where every request to the model is seen.' }),
    };
  };
  const unknown = 'unknown' in told ? told.unknown : undefined;
  const standIn = 'standIn' in told && told.standIn === true;
  const requests = 'requests' in told ? told.requests.filter((request) => isFor(agent, request.agent)) : [];
  const absent = requests.length === 0 ? `${who} was not asked in this turn` : undefined;
  // That something was not said proves nothing where nothing was said.
  const silence = unknown ?? (not ? absent : undefined);
  const inTexts = (texts: readonly string[], pattern: TextPattern, doubt: string | undefined): Found => {
    const compiled = compileTextPattern(pattern);
    const there = texts.find((text) => compiled.match(text.trim()) !== undefined);
    const evidence =
      there === undefined ? texts.slice(0, MAX_EVIDENCE).map((text) => shortenLine(text)) : [shortenLine(there)];
    return { there: there !== undefined, doubt: silence ?? doubt, seen: absent ?? countTexts(texts), evidence };
  };
  const systemTexts = [...new Set(requests.flatMap((request) => request.system))];
  const messages = [...new Set(requests.flatMap((request) => request.messages))];
  return [
    ...[system]
      .flat()
      .map(asTextPattern)
      .map((pattern) =>
        result('system', describePattern(pattern), { system: [pattern] }, () =>
          inTexts(systemTexts, pattern, standIn ? NO_SYSTEM : undefined),
        ),
      ),
    ...[message]
      .flat()
      .map(asTextPattern)
      .map((pattern) =>
        result('message', describePattern(pattern), { message: [pattern] }, () =>
          inTexts(messages, pattern, undefined),
        ),
      ),
    ...tools.map(readTool).map((tool) => {
      const offered = requests.flatMap((request) => (request.tools ?? []).map(({ name }) => name));
      const unknown = unknownTools({ ...seen, scripted: [...(seen.scripted ?? []), ...offered] }, [tool.name]);
      const found = result('tools', describeTool(tool), { tools: [tool] }, () => ({
        ...findTool(tool),
        ...doubtAbout(tool),
      }));
      return unlessUnknown(found, 'tool', unknown);
    }),
  ];

  function findTool({ name, description }: ExpectedTool): Found {
    const offered = requests.flatMap((request) => request.tools ?? []);
    const named = offered.filter((one) => namesTool(name, one.name));
    const pattern = description === undefined ? undefined : compileTextPattern(description);
    const there = named.some(
      (one) => pattern === undefined || pattern.match((one.description ?? '').trim()) !== undefined,
    );
    const names = [...new Set(offered.map((one) => one.name))].join(', ');
    const described = named.flatMap((one) => (one.description === undefined ? [] : [shortenLine(one.description)]));
    const seenTools = named.length > 0 && pattern !== undefined ? `${name} is described otherwise` : names;
    return { there, seen: absent ?? (seenTools || 'no tools were offered'), evidence: [...new Set(described)] };
  }

  function doubtAbout({ description }: ExpectedTool): Pick<Found, 'doubt'> {
    if (requests.some((request) => request.tools === undefined)) return { doubt: silence ?? NO_TOOLS };
    return { doubt: silence ?? (standIn && description !== undefined ? NO_DESCRIPTIONS : undefined) };
  }
}

function readTool(tool: NonNullable<ExpectedTold['tools']>[number]): ExpectedTool {
  if (typeof tool === 'string') return { name: tool };
  const { name, description } = tool;
  return description === undefined ? { name } : { name, description: asTextPattern(description) };
}

/** Without `agent` a check is about the agent itself: that somebody else was told is no secret. */
function toSubagent(name: string): string {
  return `the subagent ${name} was: see it with agent = "${name}"`;
}

function isTold(seen: Observed, expected: ExpectedTold): boolean {
  return checkTold(seen, expected).every(({ status }) => status === 'passed');
}

const MAX_EVIDENCE = 8;
const NO_SYSTEM = 'the stand-in does not have the system prompt of the real CLI';
const NO_TOOLS = 'the stand-in knows the tools of a subagent only if its definition names them';
const NO_DESCRIPTIONS = 'the stand-in does not have the descriptions of the tools';

function isFor(wanted: string | undefined, agent: string | undefined): boolean {
  if (wanted === undefined || agent === undefined) return wanted === agent;
  return agent === wanted || agent.endsWith(`:${wanted}`);
}

function countTexts(texts: readonly string[]): string {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return `${texts.length} ${texts.length === 1 ? 'text' : 'texts'} with ${length} characters`;
}

function describeTool({ name, description }: ExpectedTool): string {
  return description === undefined ? name : `${name} with description ${describePattern(description)}`;
}

export const told = defineCheck({
  fields: {
    told: field('What the model was told: system, message, tools; with agent, what that subagent was told.', schema),
    told_not: field('What the model must not be told.', schema),
  },
  scopes: ['step', 'call'],
  page: 'checks.md#what-the-model-was-told',
  judge: (seen, { told, told_not }, place) => [
    ...givenAt(place)(['told'], told, (wanted) => checkTold(seen, wanted)),
    ...givenAt(place)(['told_not'], told_not, (unwanted) => checkTold(seen, unwanted, { not: true })),
  ],
  review: ({ told, told_not }) => [...reviewTold('told', told), ...reviewTold('told_not', told_not)],
});

function reviewTold(name: string, told: ExpectedTold | undefined): UnlocatedProblem[] {
  if (told === undefined) return [];
  const { system = [], message = [], tools } = told;
  return [
    ...(asksSomething(told, 'agent') && tools?.length !== 0 ? [] : [asksNothing(name)]),
    ...[system].flat().flatMap((value) => reviewPattern(value, name, 'system')),
    ...[message].flat().flatMap((value) => reviewPattern(value, name, 'message')),
    ...(tools ?? []).flatMap((tool, index) =>
      typeof tool === 'string' ? [] : reviewPattern(tool.description, name, 'tools', index, 'description'),
    ),
  ];
}
