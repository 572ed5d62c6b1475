import { defined } from '@understudy/kit';
/** Something that happened, for the hat that handles it. */
export interface LoopEvent {
  topic: string;
  payload: string;
  /** The hat that must handle it. Overrides the triggers. */
  target?: string;
  /** The hat that wrote it. */
  source?: string;
  ts: string;
}

interface Tag {
  start: number;
  end: number;
  event: Pick<LoopEvent, 'topic' | 'payload' | 'target'>;
}

const OPENING = /<event\s+([^<>]*)>/g;
const CLOSING = '</event>';

/** The events in an agent's text. A tag without a topic or without an end is ordinary text. */
export function parseEvents(text: string): Tag['event'][] {
  return findTags(text).map((tag) => tag.event);
}

/** The agent's text without its events. */
export function textOutsideEvents(text: string): string {
  let outside = '';
  let from = 0;
  for (const { start, end } of findTags(text)) {
    outside += text.slice(from, start);
    from = end;
  }
  return outside + text.slice(from);
}

function findTags(text: string): Tag[] {
  const tags: Tag[] = [];
  let from = 0;
  for (const match of text.matchAll(OPENING)) {
    if (match.index < from) continue;
    const topic = attribute(match[1] ?? '', 'topic');
    const body = match.index + match[0].length;
    const close = text.indexOf(CLOSING, body);
    if (topic === undefined || topic === '' || close === -1) continue;
    // Another event opens before the end: the first was never closed.
    if (/<event\s[^<>]*topic="[^"]/.test(text.slice(body, close))) continue;
    const target = attribute(match[1] ?? '', 'target');
    const payload = text.slice(body, close).trim();
    from = close + CLOSING.length;
    tags.push({
      start: match.index,
      end: from,
      event: { topic, payload, ...defined({ target }) },
    });
  }
  return tags;
}

function attribute(attributes: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
}
