import { isObject, type JsonObject } from '@understudy/kit';
import type { StreamEvent } from './format.js';

/** One text of a stream, which is spread over events: where each piece of it stands. */
interface Channel {
  pieces: string[];
  /** Puts a changed piece back. */
  set: ((text: string) => void)[];
}

/**
 * Applies a function to the texts of a stream as a reader would put them together: what is split over two events is
 * one text. A text that changes is cut again into as many pieces as it had.
 */
export function mapStream(events: readonly StreamEvent[], change: (text: string) => string): StreamEvent[] {
  const copies = structuredClone(events) as StreamEvent[];
  const channels = new Map<string, Channel>();
  for (const event of copies) {
    const add = (key: string, text: string, set: (text: string) => void) => {
      const channel = channels.get(key) ?? { pieces: [], set: [] };
      channel.pieces.push(text);
      channel.set.push(set);
      channels.set(key, channel);
    };
    collect(event as JsonObject, '', add);
  }
  for (const { pieces, set } of channels.values()) {
    const whole = pieces.join('');
    const changed = change(whole);
    if (changed === whole) {
      // A piece alone may still be what the function looks for: ids and names come again in every event.
      const apart = pieces.join('\n');
      if (pieces.length === 1 || change(apart) === apart) continue;
      for (const [index, piece] of pieces.entries()) {
        const alone = change(piece);
        if (alone !== piece) set[index]?.(alone);
      }
      continue;
    }
    if (pieces.every((piece) => piece === pieces[0])) {
      for (const put of set) put(change(pieces[0] ?? ''));
      continue;
    }
    for (const [index, piece] of cutLike(changed, pieces).entries()) set[index]?.(piece);
  }
  return copies;
}

/** All texts of a stream, each as a reader would put it together. */
export function streamTexts(events: readonly StreamEvent[]): string[] {
  const texts: string[] = [];
  mapStream(events, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Fields that say which text a piece belongs to. */
const PLACES = ['type', 'index', 'output_index', 'content_index', 'item_id'] as const;

function collect(
  value: JsonObject | unknown[],
  path: string,
  add: (key: string, text: string, set: (text: string) => void) => void,
): void {
  const place = isObject(value)
    ? PLACES.map((name) => (typeof value[name] === 'object' ? '' : String(value[name] ?? ''))).join(',')
    : '';
  for (const [key, inner] of Object.entries(value)) {
    const here = `${path}/${place}/${key}`;
    const at = value as JsonObject;
    if (typeof inner === 'string') {
      add(here, inner, (text) => {
        at[key] = text;
      });
    } else if (isObject(inner) || Array.isArray(inner)) collect(inner, here, add);
  }
}

/** Cuts a text into as many pieces as there were, at the same shares of its length. */
function cutLike(text: string, pieces: readonly string[]): string[] {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let read = 0;
  let from = 0;
  return pieces.map((piece, index) => {
    read += piece.length;
    const share = index === pieces.length - 1 ? text.length : Math.round((text.length * read) / Math.max(total, 1));
    const to = wholeEnd(text, Math.max(share, from));
    const cut = text.slice(from, to);
    from = Math.max(from, to);
    return cut;
  });
}

/** Moves a cut behind a name in braces or a character of two halves, which stay together. */
function wholeEnd(text: string, at: number): number {
  const open = text.lastIndexOf('{{', at - 1);
  const close = open === -1 || at - open > LONGEST_NAME ? -1 : text.indexOf('}}', open);
  if (close !== -1 && close + 2 > at && close - open < LONGEST_NAME) return close + 2;
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** The longest name of a folder in a cassette, with its braces. */
const LONGEST_NAME = 16;
