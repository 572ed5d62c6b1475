import type { JsonObject } from '@understudy/kit';

interface AttachmentLine extends JsonObject {
  type: 'attachment';
  attachment: JsonObject & { type: string };
}

const BEFORE = '<system-reminder>\n';
const AFTER = '\n</system-reminder>';

/** The line of a transcript about what a hook did, with what the model reads of it. */
export function attachmentLine(
  attachment: AttachmentLine['attachment'],
  notes: readonly string[],
  timestamp: string,
): AttachmentLine {
  const rendered = notes.map((note) => ({ content: `${BEFORE}${note}${AFTER}` }));
  return {
    type: 'attachment',
    attachment,
    timestamp,
    ...(rendered.length === 0 ? {} : { rendered, renderedRole: 'system' }),
  };
}

/** What the model reads of such a line. */
export function notesOf({ rendered }: JsonObject): string[] {
  if (!Array.isArray(rendered)) return [];
  return rendered.map(({ content }: { content: string }) => content.slice(BEFORE.length, -AFTER.length));
}
