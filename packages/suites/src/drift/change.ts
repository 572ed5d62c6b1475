import { comparable } from './differences.js';

export const changeKinds = [
  'exit code',
  'output',
  'event',
  'event field',
  'event value',
  'tool',
  'tool schema',
  'tool description',
  'hook payload',
  'request',
  'prompt',
  'told',
  'transcript',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** One thing that is not as it was. Without `before` it is new, without `after` it is gone. */
export interface Change {
  kind: ChangeKind;
  /** What it is about: `system/init tools`, `Bash`, `PreToolUse tool_input: object`. */
  subject: string;
  before?: string;
  after?: string;
}

/** A change, with all the cases that show it. */
export interface SeenChange extends Change {
  cases: string[];
}

export function valueChange(kind: ChangeKind, subject: string, before: unknown, after: unknown): Change[] {
  if (comparable(before) === comparable(after)) return [];
  return [{ kind, subject, ...sideOf('before', before), ...sideOf('after', after) }];
}

function sideOf(side: 'before' | 'after', value: unknown): Partial<Change> {
  if (value === undefined) return {};
  return { [side]: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** What a list of texts has lost and won; its order does not matter. */
export function listChanges(
  kind: ChangeKind,
  subject: string,
  before: Iterable<string>,
  after: Iterable<string>,
): Change[] {
  const old = new Map([...before].map((text) => [comparable(text), text]));
  const own = new Map([...after].map((text) => [comparable(text), text]));
  return [
    ...[...old].filter(([key]) => !own.has(key)).map(([, text]) => ({ kind, subject, before: text })),
    ...[...own].filter(([key]) => !old.has(key)).map(([, text]) => ({ kind, subject, after: text })),
  ];
}

/** What is in an object that came or went as a whole is not reported. */
export function withoutInsides(changes: readonly Change[]): Change[] {
  const wholes = (side: 'before' | 'after'): string[] =>
    changes.flatMap((change) => /^(.*): (?:object|array)$/.exec(change[side] ?? '')?.[1] ?? []);
  const [gone, added] = [wholes('before'), wholes('after')];
  const isInside = (field: string | undefined, parents: readonly string[]): boolean =>
    field !== undefined && parents.some((parent) => field.startsWith(`${parent}.`) || field.startsWith(`${parent}[]`));
  return changes.filter(({ before, after }) => !isInside(before, gone) && !isInside(after, added));
}

/** Every item by what `key` says of it, in the order of the first of each. */
export function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
