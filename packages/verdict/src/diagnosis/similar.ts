import type { CheckResult } from '../checks/result.js';
import { checksOf, type EntryResult } from '../results/entry-result.js';

/** The diagnoses with each other's entries in them: failed in the same way, on the same kind of check. */
export function findSimilar(entries: readonly EntryResult[]): EntryResult[] {
  return entries.map((entry) => {
    if (entry.diagnosis === undefined) return entry;
    const similar = entries.filter((other) => other.id !== entry.id && isSimilar(entry, other));
    const ids = [...new Set(similar.map(({ id }) => id))];
    return { ...entry, diagnosis: { ...entry.diagnosis, similar_failures: ids } };
  });
}

function isSimilar(a: EntryResult, b: EntryResult): boolean {
  if (b.diagnosis === undefined || a.diagnosis?.failure_type !== b.diagnosis.failure_type) return false;
  const [kinds, others] = [failedKinds(a), failedKinds(b)];
  return others.some((kind) => kinds.includes(kind)) || (kinds.length === 0 && others.length === 0);
}

/** What the failed checks of an entry are about, without what only this entry has. */
export function failedKinds(entry: EntryResult): string[] {
  const failed = checksOf(entry).filter(({ status }) => status === 'failed');
  return [...new Set(failed.map(kindOf))];
}

function kindOf({ subject, name }: CheckResult): string {
  switch (subject.kind) {
    case 'event':
      return subject.wanted ? `event ${subject.topic}` : `no event ${subject.topic}`;
    case 'output':
      return `output of the ${subject.of}`;
    case 'hook':
      return `hook ${subject.event}`;
    case 'tool':
      return `tools ${subject.tools.join(', ')}`;
    case 'workflow':
      return `workflow to ${subject.to}`;
    case 'file':
      return `file ${subject.path}`;
    case 'plugin':
      return `plugins ${subject.names.join(', ')}`;
    case 'mcp_server':
      return `MCP server ${subject.name}`;
    case 'termination':
      return `termination ${subject.reason}`;
    case 'condition':
      return name;
    default:
      return subject.kind.replaceAll('_', ' ');
  }
}
