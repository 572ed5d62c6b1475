import { asTextPattern, compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { namesTool, unknownTools, unlessUnknown } from './known-names.js';
import { type Observed, shorten } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedTool {
  name: string;
  description?: TextPattern | undefined;
}

/** What the model must have been told. */
export interface ExpectedTold {
  /** The subagent that was told. By default the agent itself. */
  agent?: string | undefined;
  /** In the system prompt or the CLI's own notes. */
  system?: readonly TextPattern[] | undefined;
  /** In a message of this turn: a prompt, a tool result, a skill, a note of a hook. */
  message?: readonly TextPattern[] | undefined;
  /** Tools that were offered. */
  tools?: readonly ExpectedTool[] | undefined;
}

type Saying = string | TextPattern;

/** The same as people write it: a plain string is searched for. */
export interface WrittenTold {
  agent?: string | undefined;
  system?: Saying | readonly Saying[] | undefined;
  message?: Saying | readonly Saying[] | undefined;
  tools?: readonly (string | { name: string; description?: Saying | undefined })[] | undefined;
}

export function readWrittenTold({ agent, system, message, tools = [] }: WrittenTold): ExpectedTold {
  return {
    agent,
    system: [system ?? []].flat().map(asTextPattern),
    message: [message ?? []].flat().map(asTextPattern),
    tools: tools.map((tool) => {
      if (typeof tool === 'string') return { name: tool };
      const { name, description } = tool;
      return description === undefined ? { name } : { name, description: asTextPattern(description) };
    }),
  };
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
    const evidence = there === undefined ? texts.slice(0, MAX_EVIDENCE).map((text) => shorten(text)) : [shorten(there)];
    return { there: there !== undefined, doubt: silence ?? doubt, seen: absent ?? countTexts(texts), evidence };
  };
  const systemTexts = [...new Set(requests.flatMap((request) => request.system))];
  const messages = [...new Set(requests.flatMap((request) => request.messages))];
  return [
    ...system.map((pattern) =>
      result('system', describePattern(pattern), { system: [pattern] }, () =>
        inTexts(systemTexts, pattern, standIn ? NO_SYSTEM : undefined),
      ),
    ),
    ...message.map((pattern) =>
      result('message', describePattern(pattern), { message: [pattern] }, () => inTexts(messages, pattern, undefined)),
    ),
    ...tools.map((tool) => {
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
    const described = named.flatMap((one) => (one.description === undefined ? [] : [shorten(one.description)]));
    const seenTools = named.length > 0 && pattern !== undefined ? `${name} is described otherwise` : names;
    return { there, seen: absent ?? (seenTools || 'no tools were offered'), evidence: [...new Set(described)] };
  }

  function doubtAbout({ description }: ExpectedTool): Pick<Found, 'doubt'> {
    if (requests.some((request) => request.tools === undefined)) return { doubt: silence ?? NO_TOOLS };
    return { doubt: silence ?? (standIn && description !== undefined ? NO_DESCRIPTIONS : undefined) };
  }
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
