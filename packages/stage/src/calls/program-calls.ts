import { randomUUID } from 'node:crypto';
import type { EventBody, Stage } from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { JournalEntry } from '@understudy/model';
import type { AgentCall } from './agent-call.js';
import { detailsFromJournal } from './call-details.js';

/** The calls of a program that asks the model itself: each request is one, with its retries; a session of an SDK is one. */
export function callsByProgram(entries: readonly JournalEntry[], stage: Stage): AgentCall[] {
  const byNumber = new Map<number, JournalEntry[]>();
  for (const entry of entries) {
    if (entry.byProgram !== true || entry.call === undefined) continue;
    byNumber.set(entry.call, [...(byNumber.get(entry.call) ?? []), entry]);
  }
  return [...byNumber].sort(([a], [b]) => a - b).flatMap(([number, requests]) => toCall(number, requests, stage) ?? []);
}

function toCall(number: number, requests: readonly JournalEntry[], stage: Stage): AgentCall | undefined {
  const [first] = requests;
  const last = requests.at(-1);
  const known = detailsFromJournal(requests);
  if (first === undefined || last === undefined || known === undefined) return undefined;
  const agent = first.client === undefined || first.client === 'library' ? (first.protocol ?? 'model') : first.client;
  const prompt = known.prompt ?? '';
  const startedAt = Date.parse(first.at) - first.milliseconds;
  const endedAt = Date.parse(last.at);
  const events: EventBody[] = [
    { type: 'session', agent, stage, cwd: '', reports: ['tools'] },
    { type: 'prompt', id: randomUUID(), text: prompt },
    ...known.events,
    { type: 'turn_ended', milliseconds: endedAt - startedAt, ...(known.verdict ?? { outcome: 'completed' }) },
  ];
  const { told, attempts } = known;
  const command = [first.method, first.path];
  return { number, agent, command, prompt, startedAt, endedAt, events, told, ...defined({ attempts }) };
}
