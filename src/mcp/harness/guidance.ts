import { UnderstudyError } from '@understudy/kit';
import type { JournalEntry } from '@understudy/model';
import * as z from 'zod';
import type { HeldConversation } from './held-conversation.js';

/** One part of the instructions that an agent was given. */
export interface GuidancePart {
  /**
   * `system`: the CLI's own system prompt. `reminder`: a note that the CLI put beside the talk.
   * `memory`: a CLAUDE.md or AGENTS.md. `command`: what a slash command became. `agent`: the system
   * prompt of a subagent.
   */
  source: 'system' | 'reminder' | 'memory' | 'command' | 'agent';
  name?: string;
  text: string;
}

const textPart = z.looseObject({ text: z.string() });
const content = z.union([z.string(), z.array(z.unknown())]);
const message = z.looseObject({ role: z.string().optional(), content: content.optional(), parts: content.optional() });

/** A request of any of the protocols, as far as it gives the agent its role. */
const bodySchema = z.looseObject({
  system: content.optional(),
  instructions: z.string().optional(),
  systemInstruction: z.looseObject({ parts: content }).optional(),
  messages: z.array(message).optional(),
  input: z.union([z.string(), z.array(message)]).optional(),
  contents: z.array(message).optional(),
});

const REMINDER = /<system-reminder>([\s\S]*?)<\/system-reminder>/g;
const MEMORY = /\b(?:CLAUDE|AGENTS|GEMINI)\.md\b/;

/** The instructions that the agent really received: read from the requests that its CLI sent. */
export function guidanceOf(held: HeldConversation): GuidancePart[] {
  const { server } = held.conversation;
  if (server === undefined) {
    throw new UnderstudyError('HARNESS_NO_WIRE', `on the stage "${held.facts.stage}" no request passes through us`, {
      fix: 'Use the scripted stage: there the requests of the real CLI are seen.',
    });
  }
  const entries = server.journal.entries().filter(({ kind, body }) => kind !== 'auxiliary' && body !== undefined);
  const own = entries.filter(({ agent }) => agent === undefined);
  const last = own.at(-1);
  if (last === undefined) {
    throw new UnderstudyError('HARNESS_NOTHING_SENT', 'the agent has not asked its model anything yet', {
      fix: 'Say something first, with send_prompt or execute_command.',
    });
  }
  return [...partsOf(last), ...commandsOf(own), ...subagentsOf(entries)];
}

function partsOf(entry: JournalEntry): GuidancePart[] {
  const parsed = bodySchema.safeParse(entry.body);
  if (!parsed.success) return [];
  const { system, instructions, systemInstruction, messages, input, contents } = parsed.data;
  const talk = messages ?? (Array.isArray(input) ? input : undefined) ?? contents ?? [];
  const systemTexts = [
    ...textsOf(system),
    ...textsOf(instructions),
    ...textsOf(systemInstruction?.parts),
    ...talk.filter(({ role }) => role === 'system' || role === 'developer').flatMap((one) => textsOf(one.content)),
  ];
  const said = talk.filter(({ role }) => role === 'user').flatMap((one) => textsOf(one.content ?? one.parts));
  const reminders = said.flatMap((text) => [...text.matchAll(REMINDER)].map(([, inner = '']) => inner.trim()));
  const parts: GuidancePart[] = [
    ...systemTexts.map(
      (text): GuidancePart => ({ source: MEMORY.test(text) && isMemory(text) ? 'memory' : 'system', text }),
    ),
    ...reminders.map((text): GuidancePart => ({ source: MEMORY.test(text) ? 'memory' : 'reminder', text })),
  ];
  return distinct(parts);
}

/** A system text that begins with project instructions, as some CLIs send them. */
function isMemory(text: string): boolean {
  return /^\s*(?:#|Instructions from|Contents of|<)[^\n]*\b(?:CLAUDE|AGENTS|GEMINI)\.md/.test(text);
}

function commandsOf(entries: readonly JournalEntry[]): GuidancePart[] {
  return distinct(
    entries.flatMap(({ command, prompt }) =>
      command === undefined || prompt === undefined
        ? []
        : [{ source: 'command' as const, name: command.name, text: prompt }],
    ),
  );
}

function subagentsOf(entries: readonly JournalEntry[]): GuidancePart[] {
  return distinct(
    entries.flatMap((entry) =>
      entry.agent === undefined
        ? []
        : partsOf(entry)
            .filter(({ source }) => source === 'system')
            .map(({ text }): GuidancePart => ({ source: 'agent', name: entry.agent ?? '', text })),
    ),
  );
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((part) => {
    const text = textPart.safeParse(part).data?.text ?? '';
    return text.trim() === '' ? [] : [text];
  });
}

function distinct(parts: readonly GuidancePart[]): GuidancePart[] {
  return [...new Map(parts.map((part) => [`${part.source}\0${part.name ?? ''}\0${part.text}`, part])).values()];
}
