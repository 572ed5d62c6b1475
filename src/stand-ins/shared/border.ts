import { genericFor } from '../../scenario/generic-tools.js';

/** What becomes of a flag: it acts, it has no effect in a rehearsal, or it is refused by name. */
export type Fate = 'played' | 'ignored' | 'refused';

/** Flags by their fate, with their dashes. */
export function flagsByFate(table: Readonly<Record<string, { is?: Fate; short?: string }>>): Record<Fate, string[]> {
  const named = (fate: Fate): string[] =>
    Object.entries(table)
      .filter(([, { is = 'played' }]) => is === fate)
      .map(([name, { short }]) => (short === undefined ? `--${name}` : `-${short}, --${name}`));
  return { played: named('played'), ignored: named('ignored'), refused: named('refused') };
}

/** Tools that really run: the generic ones, and a CLI's `own`. All others need a result in the scenario. */
export function toolsByFate(names: readonly string[], own: readonly string[] = []): { run: string[]; told: string[] } {
  const runs = (name: string): boolean => genericFor(name) !== undefined || own.includes(name);
  return { run: names.filter(runs), told: names.filter((name) => !runs(name)) };
}
