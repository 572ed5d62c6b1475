import type { ChangeKind, SeenChange } from './change.js';

/** What a change is about, for who writes a plugin: what matters most comes first. */
export const areas = ['hooks', 'permissions', 'commands, skills and plugins', 'tools', 'output', 'other'] as const;

export type Area = (typeof areas)[number];

const WORDS: readonly (readonly [RegExp, Area])[] = [
  [/hook/i, 'hooks'],
  [/permission/i, 'permissions'],
  [/command|skill|plugin|agents?\b/i, 'commands, skills and plugins'],
  [/tool/i, 'tools'],
];

/** Where the texts themselves say what they are about. */
const WITH_TEXTS: readonly ChangeKind[] = ['event value', 'output', 'told'];
/** Where only the inputs can say it. */
const NAMELESS: readonly ChangeKind[] = ['exit code', 'output', 'told'];
/** What the author of a plugin does not see. */
const INSIDE: readonly ChangeKind[] = ['request', 'prompt', 'transcript'];

/** The area of a change: by its name and texts, else by the inputs that show it, where all are about the same. */
export function areaOf({ kind, subject, before = '', after = '', cases }: SeenChange): Area {
  if (INSIDE.includes(kind)) return 'other';
  const texts = WITH_TEXTS.includes(kind) ? `${before} ${after}` : '';
  const named = areaIn(`${kind} ${subject} ${texts}`);
  if (named !== undefined) return named;
  const [first, ...rest] = NAMELESS.includes(kind) ? cases.map(areaIn) : [];
  if (first !== undefined && rest.every((area) => area === first)) return first;
  return kind === 'told' ? 'other' : 'output';
}

/** The changes of each area; those that it names itself come first. */
export function byArea(changes: readonly SeenChange[]): Map<Area, SeenChange[]> {
  const isNamed = ({ kind, subject }: SeenChange, area: Area): boolean => areaIn(`${kind} ${subject}`) === area;
  return new Map(
    areas.flatMap((area): [Area, SeenChange[]][] => {
      const own = changes.filter((change) => areaOf(change) === area);
      const sorted = own.toSorted((a, b) => Number(isNamed(b, area)) - Number(isNamed(a, area)));
      return own.length === 0 ? [] : [[area, sorted]];
    }),
  );
}

function areaIn(text: string): Area | undefined {
  return WORDS.find(([pattern]) => pattern.test(text))?.[1];
}
