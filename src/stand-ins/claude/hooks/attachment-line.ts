import type { JsonObject } from '../../../document/json.js';

interface AttachmentLine extends JsonObject {
  type: 'attachment';
  attachment: JsonObject & { type: string };
}

/** The line of a transcript about what a hook did, with what the model reads of it. */
export function attachmentLine(
  attachment: AttachmentLine['attachment'],
  notes: readonly string[],
  timestamp: string,
): AttachmentLine {
  const rendered = notes.map((note) => ({ content: `<system-reminder>\n${note}\n</system-reminder>` }));
  return {
    type: 'attachment',
    attachment,
    timestamp,
    ...(rendered.length === 0 ? {} : { rendered, renderedRole: 'system' }),
  };
}
