import { formatPatch, structuredPatch } from 'diff';

/** Texts further apart than this are shown as replaced: a diff must never cost minutes. */
const MAX_EDITS = 1000;

/** A unified diff of two texts with three lines around each change; empty when they are equal. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return '';
  const patch = structuredPatch('before', 'after', before, after, '', '', { context: 3, maxEditLength: MAX_EDITS });
  return patch === undefined ? replaced(before, after) : withoutHeader(formatPatch(patch));
}

/** The caller adds the names of the files. */
function withoutHeader(patch: string): string {
  return patch.slice(patch.indexOf('@@'));
}

function replaced(before: string, after: string): string {
  const lines = (text: string) => text.replace(/\n$/, '').split('\n');
  const [old, fresh] = [lines(before), lines(after)];
  const body = [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
  return `@@ -1,${old.length} +1,${fresh.length} @@\n${body.join('\n')}\n`;
}
