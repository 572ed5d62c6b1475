import { type ChangeKind, groupBy, type SeenChange } from './change.js';

/** Kinds in which a change may be about a field: `timestamp: string`. */
const WITH_FIELDS: readonly ChangeKind[] = ['event field', 'transcript', 'hook payload'];
const FIELD = /^[^\s:]+: (?:string|number|boolean|null|object|array)$/;

/**
 * What is one change for a reader: a field that came to many kinds of lines at once, and a description of a tool, which
 * has other words for other models.
 */
export function consolidate(changes: readonly SeenChange[]): SeenChange[] {
  const groups = groupBy(changes, (change) => {
    const { kind, subject, before, after } = change;
    if (kind === 'tool description') return JSON.stringify([kind, subject]);
    return isAboutField(change)
      ? JSON.stringify([kind, before, after])
      : JSON.stringify([kind, subject, before, after]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const subject = [...new Set(group.map((change) => change.subject))].join(', ');
    return [{ ...first, subject, cases: [...new Set(group.flatMap(({ cases }) => cases))] }];
  });
}

function isAboutField({ kind, before, after }: SeenChange): boolean {
  return WITH_FIELDS.includes(kind) && [before, after].every((side) => side === undefined || FIELD.test(side));
}
