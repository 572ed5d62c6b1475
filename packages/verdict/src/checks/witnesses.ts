import { isDeepStrictEqual } from 'node:util';
import type { EventBody } from '@understudy/agents';
import { isObject, shortenLine } from '@understudy/kit';
import type { SeenOnWire } from '@understudy/stage';
import type { CheckResult } from './result.js';

/** What an agent printed, turn by turn, and what was on the wire between it and its model. */
export interface Testimony {
  /** `the agent`, `call 2 of step 1`. */
  who: string;
  turns: readonly (readonly EventBody[])[];
  wire: SeenOnWire;
  /** The events of the hooks that ran, by their own side; absent where nobody recorded them. */
  hooks?: readonly string[] | undefined;
  /** It is a call of a program, which a recorder wrote down. */
  isCall?: true;
  /** What else does not fit together. */
  besides?: readonly string[];
}

/**
 * Whether those who saw the same say the same. What an agent prints passes through hands that its tools may reach; the wire
 * does not. Where they disagree, nobody knows what happened: no check that reads what was printed is worth anything.
 */
export function checkWitnesses(testimonies: readonly Testimony[]): CheckResult[] {
  if (testimonies.length === 0) return [];
  const found = testimonies.flatMap(({ who, turns, wire, hooks, besides = [] }) => [
    ...besides,
    ...(hooks === undefined ? [] : hooksOnlyPrinted(turns.flat(), hooks).map((text) => `${who} ${text}`)),
    ...disagreements(turns, wire).map((text) => `${who} ${text}`),
    ...wire.refused.map((asker) => `the model was asked by another program than the agent: ${asker}`),
  ]);
  const texts = [...new Set(found)];
  return [
    {
      ...{ name: 'witnesses agree', category: 'isolation', subject: { kind: 'turn' } },
      status: texts.length === 0 ? 'passed' : 'unjudged',
      expected: 'what the agent printed is what was on the wire between it and its model',
      actual: texts[0] ?? 'it is',
      evidence: texts,
      ...(texts.length === 0 ? {} : { suggestion: suggestionFor(testimonies) }),
    },
  ];
}

function suggestionFor(testimonies: readonly Testimony[]): string {
  return testimonies.some(({ wire }) => wire.refused.length > 0)
    ? 'Find out which tool, hook or server asks the model. If it is meant to, write `asked_by = "any"` in the rehearsal.'
    : 'Find out which tool, hook or program writes in the name of the agent.';
}

function disagreements(turns: readonly (readonly EventBody[])[], wire: SeenOnWire): string[] {
  // What was said once can be printed once.
  const said = wire.texts.map(plain);
  const calls = new Map(wire.calls.map((call) => [call.id, call]));
  const results = new Map(wire.results.map((result) => [result.id, result]));
  const printed = new Set<string>();
  const found = turns.flatMap((turn) => {
    // A stand-in told even what the CLI says itself.
    const own = wire.by === 'wire' && speaksItself(turn);
    return turn.flatMap((event): string[] => {
      switch (event.type) {
        case 'text':
          return own || take(said, plain(event.text))
            ? []
            : [`printed ${quoted(event.text)}, and its model did not say it`];
        case 'tool_call': {
          printed.add(event.id);
          const call = calls.get(event.id);
          const what = `printed a call of ${event.tool} ${shortenLine(JSON.stringify(event.input))}`;
          if (call === undefined) return [`${what}, and its model called nothing like it`];
          if (call.tool === event.tool && isSameInput(call.input, event.input)) return [];
          return [`${what}, and its model called ${call.tool} ${shortenLine(JSON.stringify(call.input))}`];
        }
        case 'tool_result': {
          const result = results.get(event.id);
          // An agent that stops does not send it.
          if (
            result === undefined ||
            (isSameText(result.text, event.text) && result.isError === (event.status !== 'ok'))
          )
            return [];
          return [
            `printed ${quoted(event.text)} (${event.status}) as the result of ${event.tool}, and sent its model ${quoted(result.text)}`,
          ];
        }
        default:
          return [];
      }
    });
  });
  const isWhole = turns.every(hasCompleted);
  const missing = isWhole
    ? wire.calls.filter(({ id, agent, delivered }) => delivered && agent === undefined && !printed.has(id))
    : [];
  return [
    ...found,
    ...missing.map(
      ({ tool, input }) => `did not print a call that its model made: ${tool} ${shortenLine(JSON.stringify(input))}`,
    ),
  ];
}

/** Each run of a hook is recorded on its own side. What the CLI ended may not have come so far. */
function hooksOnlyPrinted(events: readonly EventBody[], ran: readonly string[]): string[] {
  const left = [...ran];
  return events.flatMap((event) => {
    if (event.type !== 'hook_finished' || event.outcome === 'cancelled') return [];
    const at = left.indexOf(event.event);
    if (at === -1) return [`printed a run of a hook, ${event.name}, and no such hook ran`];
    left.splice(at, 1);
    return [];
  });
}

/** The CLI itself says why a turn failed, and answers its own commands. */
function speaksItself(turn: readonly EventBody[]): boolean {
  return !hasCompleted(turn) || turn.some((event) => event.type === 'command' && event.status !== 'expanded');
}

function hasCompleted(turn: readonly EventBody[]): boolean {
  return turn.every((event) => event.type !== 'turn_ended' || event.outcome === 'completed');
}

/** Takes a text out of the first that has it. */
function take(said: string[], text: string): boolean {
  if (text === '') return true;
  const at = said.findIndex((one) => one.includes(text));
  if (at !== -1) said[at] = (said[at] ?? '').replace(text, () => '\0');
  return at !== -1;
}

/** A CLI may add what is the default: `replace_all: false`. */
function isSameInput(called: unknown, printed: Record<string, unknown>): boolean {
  if (!isObject(called)) return isDeepStrictEqual(called, printed);
  return (
    Object.entries(called).every(([name, value]) => isDeepStrictEqual(printed[name], value)) &&
    Object.entries(printed).every(([name, value]) => name in called || typeof value !== 'string')
  );
}

function isSameText(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function quoted(text: string): string {
  return JSON.stringify(shortenLine(text));
}
