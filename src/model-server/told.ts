import { recognizeClient } from './clients/recognize-client.js';
import { remindersIn } from './clients/reminders.js';
import type { JournalEntry } from './journal.js';
import { route } from './router.js';
import { isObject, type JsonObject } from './wire/json.js';

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

/** Reads what a request told the model. Undefined for requests that no user caused. */
export function readTold(entry: JournalEntry): ToldRequest | undefined {
  if (entry.kind !== 'answer' && entry.kind !== 'failure' && entry.kind !== 'unanswered') return undefined;
  const { body, headers } = entry;
  if (!isObject(body)) return undefined;
  const { protocol, target } = route(entry.method, entry.path, headers);
  const request = protocol.read(body as JsonObject, target);
  const client = recognizeClient(headers);
  const system = [...request.instructions];
  let messages: string[] = [];
  for (const item of request.entries) {
    if (item.kind === 'assistant') messages = [];
    else if (item.kind === 'system') {
      system.push(item.text);
      messages.push(item.text);
    } else {
      system.push(...item.texts.flatMap(client.name === 'library' ? () => [] : remindersIn));
      messages.push(...item.results.map(({ text }) => text), ...item.texts);
    }
  }
  return {
    ...(entry.agent === undefined ? {} : { agent: entry.agent }),
    system,
    messages,
    tools: request.tools.map(({ name, description }) => ({ name, description })),
  };
}
