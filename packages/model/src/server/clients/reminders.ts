import type { WireRequest } from '../wire/protocol.js';

const REMINDER = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

/** Takes out the notes that a CLI writes to the model into the user's message. */
export function withoutReminders(text: string): string {
  return text.includes('<system-reminder>') ? text.replace(REMINDER, '') : text;
}

/** The notes that a CLI writes to the model into the user's message, without their tags. */
export function remindersIn(text: string): string[] {
  if (!text.includes('<system-reminder>')) return [];
  return (text.match(REMINDER) ?? []).map((note) => note.replace(/<\/?system-reminder>/g, '').trim());
}

/** What the user wrote, as one prompt, where the CLI's own additions are texts of their own. */
export function authoredApartFrom(own: RegExp, texts: readonly string[]): { text: string }[] {
  const text = texts
    .filter((part) => !own.test(part))
    .join('\n')
    .trim();
  return text === '' ? [] : [{ text }];
}

/** The first fact of this kind in the request, such as the working folder. */
export function factIn(request: WireRequest, pattern: RegExp): string | undefined {
  for (const entry of request.entries) {
    const texts = entry.kind === 'system' ? [entry.text] : entry.kind === 'user' ? entry.texts : [];
    const fact = firstMatch(texts, pattern);
    if (fact !== undefined) return fact;
  }
  return firstMatch(request.instructions, pattern);
}

function firstMatch(texts: readonly string[], pattern: RegExp): string | undefined {
  for (const text of texts) {
    const match = pattern.exec(text)?.[1]?.trim();
    if (match) return match;
  }
  return undefined;
}
