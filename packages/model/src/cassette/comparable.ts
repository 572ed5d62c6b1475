import { shorten } from '@understudy/kit';
import { diffLines } from 'diff';
import type { Client } from '../server/clients/client.js';
import { remindersIn } from '../server/clients/reminders.js';
import type { WireRequest } from '../server/wire/protocol.js';
import type { TextKind } from './volatile.js';

/** Makes a text the same in every run. */
export type Stable = (text: string, kind: TextKind) => string;

/** One thing that the model was told. */
export interface ComparedPart {
  label: 'the model' | 'prompt' | 'tool result' | 'failed tool result' | 'note of a hook' | 'tools';
  text: string;
}

/** What matters of a request: the model, the messages, the tools. */
export interface Comparable {
  parts: ComparedPart[];
  /** How many prompts it has: the turn that it belongs to. */
  turn: number;
}

/** The first difference between what was recorded and what came. */
export interface Difference {
  /** `prompt 2`, `tool result 1`, `the model`, `the list of tools`. */
  what: string;
  /** Recorded lines with `-`, those that came with `+`. */
  diff: string;
}

/**
 * Reads what matters. The agent's own messages are left out: they come from the cassette. So are the CLI's notes to the
 * model (system prompt, environment, reminders), except what hooks say in them.
 */
export function comparableOf(request: WireRequest, client: Client, stable: Stable): Comparable {
  const parts: ComparedPart[] = [{ label: 'the model', text: request.model }];
  const add = (label: ComparedPart['label'], text: string, kind: 'prompt' | 'result') => {
    const compared = stable(text, kind);
    if (compared !== '') parts.push({ label, text: compared });
  };
  let turn = 0;
  for (const entry of request.entries) {
    if (entry.kind === 'assistant') continue;
    const notes = entry.kind === 'system' ? [entry.text] : entry.texts.flatMap(remindersIn);
    if (entry.kind === 'user') {
      for (const { text, isError } of entry.results)
        add(isError ? 'failed tool result' : 'tool result', text, 'result');
      for (const { text, command } of client.authored(entry.texts)) {
        if (entry.results.length === 0) turn++;
        add('prompt', command === undefined ? text : `/${command.name} ${command.args}\n${text}`, 'prompt');
      }
    }
    for (const note of client.hookNotes?.(notes) ?? []) add('note of a hook', note, 'result');
    for (const text of client.midTurnPrompts?.(notes) ?? []) add('prompt', text, 'prompt');
  }
  parts.push({ label: 'tools', text: toolsOf(request, client.modeTools ?? []) });
  return { parts, turn: Math.max(turn, 1) };
}

/** Names and arguments, without tools that come and go with the way in which the CLI is started. */
function toolsOf(request: WireRequest, modeTools: readonly string[]): string {
  if (request.toolless) return '';
  return request.tools
    .filter(({ name }) => !modeTools.includes(name))
    .map(({ name, properties }) => `${name}(${[...properties].sort().join(', ')})`)
    .sort()
    .join('\n');
}

/** The first thing that differs, or undefined if nothing does. */
export function firstDifference(
  recorded: Comparable,
  came: Comparable,
  ignored: readonly ComparedPart['label'][] = [],
): Difference | undefined {
  const counts = new Map<string, number>();
  const length = Math.max(recorded.parts.length, came.parts.length);
  for (let index = 0; index < length; index++) {
    const [old, fresh] = [recorded.parts[index], came.parts[index]];
    const label = fresh?.label === 'tools' ? (old?.label ?? 'tools') : (fresh?.label ?? old?.label ?? '');
    const number = (counts.get(label) ?? 0) + 1;
    counts.set(label, number);
    if (
      old?.label === fresh?.label &&
      (old === undefined || ignored.includes(old.label) || isSame(old.text, fresh?.text))
    )
      continue;
    const what = label === 'the model' ? label : label === 'tools' ? 'the list of tools' : `${label} ${number}`;
    return { what, diff: describeDiff(textOf(old, fresh), textOf(fresh, old)) };
  }
  return undefined;
}

/** Where the recording has no secret any more, any word may stand. */
function isSame(recorded: string, came: string | undefined): boolean {
  if (recorded === came || came === undefined || !recorded.includes(HIDDEN)) return recorded === came;
  const pattern = recorded.split(HIDDEN).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('\\S{1,4096}')}$`).test(came);
}

const HIDDEN = '[secret]';

/** A part beside one of another kind is shown with what it is. */
function textOf(part: ComparedPart | undefined, other: ComparedPart | undefined): string {
  if (part === undefined) return '(nothing)';
  return part.label === other?.label ? part.text : `(${part.label}) ${part.label === 'tools' ? '' : part.text}`;
}

const SHOWN_LINES = 12;
const LONGEST_LINE = 300;
const CONTEXT = 1;

function describeDiff(recorded: string, came: string): string {
  const all = diffLines(`${recorded}\n`, `${came}\n`).flatMap(({ value, added, removed }) => {
    const mark = added ? '+' : removed ? '-' : ' ';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${mark} ${shorten(line, LONGEST_LINE)}`);
  });
  const isNear = (at: number) =>
    all.slice(Math.max(at - CONTEXT, 0), at + CONTEXT + 1).some((line) => !line.startsWith(' '));
  const near = all.filter((_, at) => isNear(at));
  const more = near.length - SHOWN_LINES;
  return [...near.slice(0, SHOWN_LINES), ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n');
}
