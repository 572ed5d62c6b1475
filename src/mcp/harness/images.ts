import type { HeldConversation } from './held-conversation.js';

export interface SeenImage {
  extension: string;
  data: Buffer;
}

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** The images of a conversation: what its tools showed to the model, read from the requests. Each one once. */
export function imagesIn(held: HeldConversation): SeenImage[] {
  const found = new Map<string, SeenImage>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const image = imageOf(value as Record<string, unknown>);
    if (image === undefined) for (const inner of Object.values(value)) visit(inner);
    else found.set(image.data.toString('base64'), image);
  };
  // The last request holds the whole talk.
  visit(held.conversation.server?.journal.entries({ kind: 'answer' }).at(-1)?.body);
  return [...found.values()];
}

function imageOf(value: Record<string, unknown>): SeenImage | undefined {
  const type = value['media_type'] ?? value['mimeType'];
  const data = value['data'];
  const extension = typeof type === 'string' ? EXTENSIONS[type] : undefined;
  if (extension === undefined || typeof data !== 'string') return undefined;
  return { extension, data: Buffer.from(data, 'base64') };
}
