import { countOf } from '@understudy/kit';
import { type EntryResult, type EntryStatus, isRed } from './entry-result.js';

/** What a test did in a target: its worst status, and how many of its entries passed. */
export interface MatrixCell {
  status: EntryStatus;
  passed: number;
  total: number;
}

/** Tests against the targets in which they were played. */
export interface Matrix {
  targets: string[];
  rows: { name: string; cells: (MatrixCell | undefined)[] }[];
}

type Placed = Pick<EntryResult, 'agent' | 'stage' | 'model' | 'target'>;

/** Where an entry is played, in the words that tell it from others: `claude (opus) scripted nightly`. */
export function placeText({ agent, stage, model, target }: Placed): string {
  return `${agent}${model === undefined ? '' : ` (${model})`} ${stage}${target === undefined ? '' : ` ${target}`}`;
}

/** The matrix of a run; nothing where it has fewer than two targets. */
export function matrixOf(entries: readonly EntryResult[]): Matrix | undefined {
  const targets = [...new Set(entries.flatMap(({ target }) => target ?? []))];
  if (targets.length < 2) return undefined;
  const tests = new Map<string, EntryResult[]>();
  for (const entry of entries) {
    if (entry.target === undefined) continue;
    const key = JSON.stringify([entry.file, entry.name]);
    tests.set(key, [...(tests.get(key) ?? []), entry]);
  }
  const names = [...tests.values()].map(([first]) => first?.name);
  const rows = [...tests.values()].map((own) => {
    const { name = '', file } = own[0] ?? {};
    const isShared = names.filter((other) => other === name).length > 1;
    return {
      name: isShared && file !== undefined ? `${name} (${file})` : name,
      cells: targets.map((target) => cellOf(own.filter((entry) => entry.target === target))),
    };
  });
  return { targets, rows };
}

/** How many entries of each target passed, in a line. */
export function targetCounts(entries: readonly EntryResult[]): string | undefined {
  const { targets = [] } = matrixOf(entries) ?? {};
  if (targets.length === 0) return undefined;
  const each = targets.map((target) => {
    const cell = cellOf(entries.filter((entry) => entry.target === target));
    return `${target} ${cell?.passed} of ${countOf(cell?.total ?? 0, 'test')} passed`;
  });
  return `targets: ${each.join(', ')}`;
}

function cellOf(entries: readonly EntryResult[]): MatrixCell | undefined {
  const [worst] = [...entries].sort((one, other) => badness(other) - badness(one));
  if (worst === undefined) return undefined;
  const passed = entries.filter(({ status }) => status === 'passed' || status === 'flaky').length;
  return { status: worst.status, passed, total: entries.length };
}

function badness(entry: EntryResult): number {
  if (isRed(entry)) return 2;
  return entry.status === 'passed' ? 0 : 1;
}
