import { genericFor } from '@understudy/script';

/** On which side of its border a stand-in has something: it acts, it has no effect in a rehearsal, or it is refused by name. */
export type Side = 'played' | 'ignored' | 'refused';

export type CapabilityKind =
  | 'flag'
  | 'subcommand'
  | 'tool'
  | 'hook event'
  | 'hook type'
  | 'control request'
  | 'setting';

/** What a stand-in owes and what not. It is made of the lists that the stand-in itself uses. */
export interface Border {
  /** The CLI in whose place it stands. */
  cli: string;
  names: Partial<Record<CapabilityKind, Partial<Record<Side, readonly string[]>>>>;
  /** What it says of the rest that it refuses. */
  sentences: readonly string[];
}

/** Flags with their sides; those that are not named act. */
export function onSides<Name extends string, Flag extends object>(
  flags: Readonly<Record<Name, Flag>>,
  { ignored, refused }: Record<'ignored' | 'refused', readonly Name[]>,
): Record<Name, Flag & { is: Side }> {
  const sideOf = (name: Name): Side =>
    ignored.includes(name) ? 'ignored' : refused.includes(name) ? 'refused' : 'played';
  const entries = Object.entries<Flag>(flags).map(([name, flag]) => [name, { ...flag, is: sideOf(name as Name) }]);
  return Object.fromEntries(entries) as Record<Name, Flag & { is: Side }>;
}

/** Flags by their side, with their dashes. */
export function flagsBySide(table: Readonly<Record<string, { is: Side; short?: string }>>): Record<Side, string[]> {
  const named = (side: Side): string[] =>
    Object.entries(table)
      .filter(([, { is }]) => is === side)
      .flatMap(([name, { short }]) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  return { played: named('played'), ignored: named('ignored'), refused: named('refused') };
}

/** Tools that really run: the generic ones, and a CLI's `own`. All others need a result in the scenario. */
export function toolsBySide(names: readonly string[], own: readonly string[] = []): Partial<Record<Side, string[]>> {
  const runs = (name: string): boolean => genericFor(name) !== undefined || own.includes(name);
  return { played: names.filter(runs), refused: names.filter((name) => !runs(name)) };
}
