import { type ConversationEvent, eventSchema } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import type { CassetteFile } from '@understudy/model';
import { replayEvents, type Workflow } from '@understudy/stage';
import { checkCommandSuggested } from '@understudy/verdict';
import type { RecordedTurn } from './turns.js';

type Fields = Record<string, unknown>;

const MOST_FILES = 8;
const MOST_SUGGESTIONS = 2;

/** The events of the conversation that were recorded beside the wire. */
export function seenEvents(cassette: CassetteFile): ConversationEvent[] {
  const events: ConversationEvent[] = [];
  let seq = 0;
  for (const line of cassette.lines()) {
    if (line.type !== 'seen') continue;
    // Events of calls have no place in a log of their own.
    const placed = { seq: seq++, at: new Date(0).toISOString(), turn: 1, ...line.event };
    const event = eventSchema.safeParse(placed);
    if (event.success) events.push(event.data);
  }
  return events;
}

/** What held after a turn: workflow, tools, files, suggestions. */
export function expectationsOf(
  turn: RecordedTurn,
  number: number,
  events: readonly ConversationEvent[],
  workflow: Workflow | undefined,
): Fields {
  const own = events.filter((event) => event.turn === number);
  const ended = own.findLast((event) => event.type === 'turn_ended');
  const tools = [...new Set(turn.answers.flatMap((answer) => answer.tools.map(({ name }) => name)))];
  const changed = own.flatMap((event) =>
    event.type === 'file_changed' && !isOfTest(event.path) ? [{ path: event.path, change: event.change }] : [],
  );
  const commits = own.filter((event) => event.type === 'commit').length;
  const suggested = suggestionsIn(turn.answers.map(({ text }) => text).join('\n'), events);
  const expectations = {
    ...(ended === undefined || ended.outcome === 'completed' ? {} : { outcome: ended.outcome, reason: ended.reason }),
    ...(turn.command === undefined ? {} : { command: { name: turn.command.name } }),
    ...movesIn(number, events, workflow),
    ...(tools.length === 0 ? {} : { tools: { all: tools } }),
    ...(changed.length === 0 ? {} : { files: changed.slice(0, MOST_FILES) }),
    ...(commits === 0 ? {} : { commits: { count: commits } }),
    ...(suggested.length === 0 ? {} : { suggests: suggested.length === 1 ? suggested[0] : suggested }),
  };
  return Object.keys(expectations).length === 0 ? { outcome: 'completed' } : expectations;
}

/** The step of the workflow that the turn made. What is left of a log after an edit may not be enough to know it. */
function movesIn(number: number, events: readonly ConversationEvent[], workflow: Workflow | undefined): Fields {
  if (workflow === undefined) return {};
  const until = (turn: number) => {
    const before = events.filter((event) => event.turn <= turn);
    return replayEvents(before, workflow).workflow?.label;
  };
  try {
    const [from, to] = [until(number - 1), until(number)];
    return to === undefined || from === to ? {} : { workflow: { from, to } };
  } catch (error) {
    if (error instanceof UnderstudyError) return {};
    throw error;
  }
}

/** Files that no project needs: recordings, rehearsals, what git and Python keep. */
export function isOfTest(path: string): boolean {
  return /\.cassette\.jsonl(?:\.part)?$|\.rehearsal\.toml$|(?:^|\/)(?:\.git|\.understudy|__pycache__)\//.test(path);
}

/** Commands that the agent knows, and that its text suggests. Where it does not report them, any. */
function suggestionsIn(text: string, events: readonly ConversationEvent[]): string[] {
  const known = events.flatMap((event) => (event.type === 'session' ? (event.commands ?? []) : []));
  const named = [...text.matchAll(/(?<![\w/.])\/([a-z][\w:-]*)/g)].map(([, name = '']) => name.replace(/[:-]+$/, ''));
  const suggested = [...new Set(named)].filter(
    (name) =>
      (known.length === 0 || known.some((command) => command === name || command.endsWith(`:${name}`))) &&
      checkCommandSuggested(text, `/${name}`).status === 'passed',
  );
  return suggested.slice(0, MOST_SUGGESTIONS).map((name) => `/${name}`);
}
