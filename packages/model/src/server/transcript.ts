import { hash } from 'node:crypto';
import type { Authored, Client } from './clients/client.js';
import { remindersIn } from './clients/reminders.js';
import type { TranscriptEntry, WireRequest, WireToolResult } from './wire/protocol.js';

/** What a request asks for: the answer to a prompt, or the next message after tool results. */
export interface Transcript {
  prompt?: Authored;
  /** The tool results after the agent's last message. With a prompt, they are history. */
  results: WireToolResult[];
  /** The key of this point of the conversation. A retry has the same key. */
  key: string;
  /** The key of the point before the last user message. Undefined at the start of a conversation. */
  previousKey?: string;
  /** What hooks told the model since its last message. */
  readonly feedback: string;
  /** System prompt and other texts beside the conversation. */
  readonly system: string;
}

/**
 * Reads the prompts and the tool results. Keys are made of these alone, because CLIs change everything else between
 * attempts (tool lists, environment notes, the agent's own messages).
 */
export function readTranscript(request: WireRequest, client: Client): Transcript {
  const marks: string[] = [];
  let latest: TranscriptEntry[] = [];
  let notes: (TranscriptEntry & { kind: 'system' })[] = [];
  let marksBefore = 0;
  let answered = false;
  let cut = { latest, marksBefore, answered };
  for (const entry of request.entries) {
    if (entry.kind === 'system') {
      notes.push(entry);
      continue;
    }
    if (entry.kind === 'assistant') {
      if (latest.length > 0) cut = { latest, marksBefore, answered };
      answered = true;
      latest = [];
      notes = [];
      marksBefore = marks.length;
      continue;
    }
    const { resumes, own } = meaningOf(entry, client);
    if (resumes) {
      // The answer before it was cut off: the question is still open.
      ({ latest, marksBefore, answered } = cut);
    } else {
      latest.push(entry);
      marks.push(...own);
    }
  }
  const notesOf = (): string[] => {
    const reminders = latest.flatMap((entry) => (entry.kind === 'user' ? entry.texts.flatMap(remindersIn) : []));
    return [...reminders, ...notes.map(({ text }) => text)];
  };
  const asked = newestIn(latest, client);
  if (asked.prompt === undefined && asked.results.length > 0) {
    const text = client.midTurnPrompts?.(notesOf()).at(-1);
    if (text !== undefined) asked.prompt = { text };
  }
  return {
    ...asked,
    key: keyOf(marks),
    ...(answered ? { previousKey: keyOf(marks.slice(0, marksBefore)) } : {}),
    get feedback() {
      return (client.hookNotes?.(notesOf()) ?? []).join('\n\n');
    },
    get system() {
      const told = request.entries.flatMap((entry) => (entry.kind === 'system' ? [entry.text] : []));
      return [...request.instructions, ...told].join('\n');
    },
  };
}

interface Meaning {
  client: Client;
  /** It only asks to go on with the answer before. */
  resumes: boolean;
  /** The marks of what is in it. */
  own: readonly string[];
}

/** Messages come again with each request, as the same objects (`known-messages.ts`). */
const meanings = new WeakMap<TranscriptEntry, Meaning>();

function meaningOf(entry: TranscriptEntry & { kind: 'user' }, client: Client): Meaning {
  const known = meanings.get(entry);
  if (known?.client === client) return known;
  const meaning = {
    client,
    resumes: client.resumes?.(entry.texts) === true,
    own: [
      ...entry.results.map(({ id }) => `tool ${id}`),
      ...client.authored(entry.texts).map(({ text }) => `user ${text}`),
    ],
  };
  meanings.set(entry, meaning);
  return meaning;
}

function newestIn(latest: readonly TranscriptEntry[], client: Client): Pick<Transcript, 'prompt' | 'results'> {
  const results: WireToolResult[] = [];
  let prompt: Authored | undefined;
  for (const entry of latest) {
    if (entry.kind !== 'user') continue;
    for (const result of entry.results) {
      results.push(result.isError || client.reportsFailure(result.text) ? { ...result, isError: true } : result);
    }
    const said =
      results.length === 0
        ? client.authored(entry.texts).at(-1)
        : client.promptBehind(entry.texts, { results, sameEntry: entry.results.length > 0 });
    prompt = said ?? prompt;
  }
  return { results, ...(prompt === undefined ? {} : { prompt }) };
}

/** Long keys are hashed to save memory. */
function keyOf(marks: readonly string[]): string {
  const text = marks.join('\0');
  return text.length < 256 ? text : hash('sha1', text, 'base64');
}
