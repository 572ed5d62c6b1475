import { join, relative } from 'node:path';
import { defined, ownCommand, shellWord, UnderstudyError } from '@understudy/kit';
import { type Entry, type Played, type Player, playableRehearsals, rehearsalPlayer, toRows } from '@understudy/runner';
import { readEventLog } from '@understudy/stage';
import type { Guard, GuardedFolder, Setting } from './guard.js';
import { guardRehearsal } from './guard-rehearsal.js';
import { guardChecks } from './guard-verdict.js';

export interface GuardEntryOptions {
  agents?: readonly string[] | undefined;
  isolation?: string | undefined;
}

/** What the player of guards needs to know of an entry. */
interface GuardPlay {
  guard: Guard;
  setting: Setting;
}

/** The guards of folders as entries of a run: each on each version of Claude Code, on the stage scripted alone. */
export function guardEntries(
  folders: readonly GuardedFolder[],
  { agents = ['claude'], isolation }: GuardEntryOptions,
): Entry[] {
  const names = new Map<string, number>();
  return folders.flatMap(({ setting, guards }) =>
    guards.flatMap((guard) => {
      const count = (names.get(guard.name) ?? 0) + 1;
      names.set(guard.name, count);
      const name = count === 1 ? guard.name : `${guard.name} (${count})`;
      return agents.map((agent) => guardEntry({ guard: { ...guard, name }, setting }, agent, isolation));
    }),
  );
}

function guardEntry({ guard, setting }: GuardPlay, agent: string, isolation: string | undefined): Entry {
  const file = relative('.', join(setting.root, guard.file)) || guard.file;
  const id = `${file} ${guard.name} ${agent} scripted`;
  return {
    id,
    kind: 'rehearsal',
    ...{ name: guard.name, file, agent, stage: 'scripted', round: 1 },
    tags: ['guard'],
    rerun: `${ownCommand()} guard ${shellWord(relative('.', setting.root) || '.')} --grep ${shellWord(guard.name)}`,
    folderName: id
      .replace(/[^\w.@-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 150),
    calls: { expected: 1, most: 2 },
    isolation: { requested: isolation },
    ...defined({ skip: guard.stopsNothing }),
    ...{ player: 'guard', options: { guard, setting } satisfies GuardPlay },
  };
}

/** Plays guards: the rehearsal that is made of each, and what its events say of the guard. */
export const guardPlayer: Player = {
  async play(entry, context): Promise<Played> {
    const { guard, setting } = entry.options as GuardPlay;
    if (guard.attack === undefined) return { steps: [], checks: [guardChecks(guard, []).attack] };
    const file = join(setting.root, 'guard.rehearsal.json');
    const rows = toRows({ value: guardRehearsal(guard, setting), file }, file);
    const { entries } = playableRehearsals(rows, {
      agents: [entry.agent],
      stage: 'scripted',
      isolation: entry.isolation?.requested,
    });
    const [own] = entries;
    if (own === undefined) throw new UnderstudyError('NOTHING_TO_RUN', `${guard.name} has no rehearsal`);
    const played = await rehearsalPlayer(rows).play(own, context);
    const { attack, twin } = guardChecks(guard, readEventLog(join(context.folder, 'artifacts', 'events.jsonl')));
    const judged = [attack, twin];
    return {
      ...played,
      // What the guard did is judged here, by more than the rehearsal can say.
      steps: played.steps.map((step, index) => ({
        ...step,
        checks: [judged[index]].filter((check) => check !== undefined),
      })),
    };
  },
};
