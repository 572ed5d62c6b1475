import { isObject, type JsonObject } from '@understudy/kit';
import { UNNAMED_AGENT } from '@understudy/script';
import { remindersIn, withoutReminders } from './clients/reminders.js';
import type { JournalEntry } from './journal.js';
import { route } from './router.js';
import type { TranscriptEntry } from './wire/protocol.js';

/** What a model was told in one request. */
export interface ToldRequest {
  /** The subagent that asked. Undefined for the main agent. */
  agent?: string;
  /** What neither the user nor a tool said: the system prompt and the CLI's own notes. */
  system: readonly string[];
  /** What is new since the model's last message: prompts, tool results, notes. */
  messages: readonly string[];
  /** Absent if it is not known. */
  tools?: readonly { name: string; description?: string }[];
}

/**
 * Reads what a request told the model. Undefined for requests that no user caused. `agents` are subagents by their
 * prompts, of which the model server may not know.
 */
export function readTold(entry: JournalEntry, agents?: ReadonlyMap<string, string>): ToldRequest | undefined {
  if (entry.kind !== 'answer' && entry.kind !== 'failure' && entry.kind !== 'unanswered') return undefined;
  const { body, headers } = entry;
  if (!isObject(body)) return undefined;
  const { protocol, target } = route(entry.method, entry.path, headers);
  const request = protocol.read(body as JsonObject, target);
  const system = [...request.instructions];
  let messages: string[] = [];
  for (const item of request.entries) {
    if (item.kind === 'assistant') messages = [];
    else if (item.kind === 'system') {
      system.push(item.text);
      messages.push(item.text);
    } else {
      system.push(...item.texts.flatMap((entry.client ?? 'library') === 'library' ? () => [] : remindersIn));
      messages.push(...item.results.map(({ text }) => text), ...item.texts);
    }
  }
  const named = entry.agent === UNNAMED_AGENT ? undefined : entry.agent;
  const agent = named ?? (agents && agentIn(request.entries, agents)) ?? entry.agent;
  return {
    ...(agent === undefined ? {} : { agent }),
    system,
    messages,
    tools: request.tools.map(({ name, description }) => ({ name, description })),
  };
}

/** The subagent whose prompt begins the conversation. */
function agentIn(entries: readonly TranscriptEntry[], agents: ReadonlyMap<string, string>): string | undefined {
  const first = entries.find(({ kind }) => kind === 'user');
  const texts = first?.kind === 'user' ? first.texts : [];
  return texts.map((text) => agents.get(withoutReminders(text).trim())).find((agent) => agent !== undefined);
}
