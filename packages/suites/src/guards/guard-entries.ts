import { join, relative } from 'node:path';
import { defined, ownCommand, shellWord, UnderstudyError } from '@understudy/kit';
import { type Entry, type Played, type Player, playableRehearsals, rehearsalPlayer, toRows } from '@understudy/runner';
import { readEventLog } from '@understudy/stage';
import type { Guard, GuardedFolder, Setting } from './guard.js';
import { guardRehearsal } from './guard-rehearsal.js';
import { faultCheck, guardChecks } from './guard-verdict.js';
import { faultsOf } from './prove.js';

export interface GuardEntryOptions {
  agents?: readonly string[] | undefined;
  isolation?: string | undefined;
  /** A folder for copies of the guards with faults, which are played, too. */
  faults?: string | undefined;
}

/** What the player of guards needs to know of an entry. */
interface GuardPlay {
  guard: Guard;
  setting: Setting;
  /** The fault that is planted into the guard: its attack must get through. */
  fault?: string;
}

/** The guards of folders as entries of a run: each on each version of Claude Code, on the stage scripted alone. */
export function guardEntries(
  folders: readonly GuardedFolder[],
  { agents = ['claude'], isolation, faults }: GuardEntryOptions,
): Entry[] {
  return folders.flatMap(({ setting, guards }) =>
    guards.flatMap((guard) => {
      const planted = faults === undefined ? [] : faultsOf(guard, setting, faults);
      const plays: GuardPlay[] = [
        { guard, setting },
        ...planted.map(({ name, setting: changed }) => ({ guard, setting: changed, fault: name })),
      ];
      return plays.flatMap((play) => agents.map((agent) => guardEntry(play, agent, isolation)));
    }),
  );
}

function guardEntry(play: GuardPlay, agent: string, isolation: string | undefined): Entry {
  const { guard, setting, fault } = play;
  const file = relative('.', join(setting.root, guard.file)) || guard.file;
  const name = fault === undefined ? guard.name : `${guard.name}: ${fault}`;
  const id = `${file} ${name} ${agent} scripted`;
  const words = [...setting.again, ...(fault === undefined ? [] : ['--prove']), '--grep', name].map(shellWord);
  return {
    id,
    kind: 'rehearsal',
    ...{ name, file, agent, stage: 'scripted', round: 1 },
    tags: fault === undefined ? ['guard'] : ['guard', 'fault'],
    rerun: `${ownCommand()} guard ${words.join(' ')}`,
    folderName: id
      .replace(/[^\w.@-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 150),
    calls: { expected: 1, most: 2 },
    isolation: { requested: isolation },
    ...defined({ skip: guard.stopsNothing }),
    ...{ player: 'guard', options: play },
  };
}

/** Plays guards: the rehearsal that is made of each, and what its events say of the guard. */
export const guardPlayer: Player = {
  async play(entry, context): Promise<Played> {
    const { guard, setting, fault } = entry.options as GuardPlay;
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
    const checks = guardChecks(guard, readEventLog(join(context.folder, 'artifacts', 'events.jsonl')));
    const { attack, twin } = checks;
    const judged = fault === undefined ? [attack, twin] : [faultCheck(guard, fault, checks)];
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
