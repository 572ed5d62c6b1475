import type { Stage } from '@understudy/agents';
import { defined, UnderstudyError } from '@understudy/kit';
import type { Entry, Playable, Player } from '../run/entry.js';
import { cassetteOf, stageWithCassette } from './cassette.js';
import { type EntryOptions, playOptionsSchema, rehearsalEntries } from './entries.js';
import { loadRows, type Rehearsal, toRows } from './load.js';
import { type BrokenRehearsal, isBroken } from './load-files.js';
import { PluginLooks } from './plugin-looks.js';
import { rehearse } from './rehearse.js';

/** Rehearsals as entries of a run, and their player. */
export function playableRehearsals(loaded: readonly (Rehearsal | BrokenRehearsal)[], options?: EntryOptions): Playable {
  return { entries: rehearsalEntries(loaded, options), players: { rehearsal: rehearsalPlayer(loaded) } };
}

/** An entry of a module brings what the module exported. One that could not be loaded where it was put brings nothing. */
function loadFor({ options }: Entry, file: string): Rehearsal[] {
  const document = options === undefined ? undefined : playOptionsSchema.parse(options).document;
  return document === undefined ? loadRows(file) : toRows({ value: document, file }, file);
}

/** With the variables of its target: they go before its own. */
function withEnvironment(rehearsal: Rehearsal, env: Record<string, string> | undefined): Rehearsal {
  const { document } = rehearsal;
  return env === undefined ? rehearsal : { ...rehearsal, document: { ...document, env: { ...document.env, ...env } } };
}

/**
 * Plays rehearsals. Those that are loaded already are not read again, whatever an agent did to their files; of ten
 * thousand, those that have been played are let go. `copyOf` says where a copy of the file of an entry is, if that is
 * what is played: what would be written beside a copy would be lost, so nothing is.
 */
export function rehearsalPlayer(
  loaded: readonly (Rehearsal | BrokenRehearsal)[] = [],
  copyOf?: (entry: Entry) => string,
): Player {
  const held = new Map<string, Rehearsal[]>();
  for (const rehearsal of loaded) {
    if (!isBroken(rehearsal)) held.set(rehearsal.file, [...(held.get(rehearsal.file) ?? []), rehearsal]);
  }
  const pluginLooks = new PluginLooks();
  /** What an entry says of its play, and its cassette. */
  const playOf = (rehearsal: Rehearsal, entry: Entry) => {
    const said = playOptionsSchema.parse(entry.options);
    const options = copyOf === undefined ? said : { ...said, ci: true, record: undefined };
    return { options, stage: entry.stage as Stage, file: cassetteOf(rehearsal, said.agents ?? [entry.agent]) };
  };
  const rehearsalOf = (entry: Entry) => {
    const { file = '' } = entry;
    const rows = held.get(file) ?? loadFor(entry, copyOf?.(entry) ?? file);
    held.set(file, rows);
    const { row: name } = playOptionsSchema.parse(entry.options);
    const rehearsal = rows.find(({ row }) => row?.name === name);
    if (rehearsal !== undefined) return rehearsal;
    throw new UnderstudyError('NOTHING_TO_RUN', `${file} has no row ${JSON.stringify(name)} any more`, {
      fix: 'Run it again.',
    });
  };
  return {
    async skipReason(entry) {
      // What is wrong with its file is an error of the entry, and of nothing else.
      const { file, stage, options } = playOf(rehearsalOf(entry), entry);
      stageWithCassette(stage, file, {}, options.ci);
      return undefined;
    },
    play(entry, { output, ...context }) {
      const rehearsal = rehearsalOf(entry);
      const { file, stage, options } = playOf(rehearsal, entry);
      const { agents, update, ci, timeoutMs, record, speed, fromTurn, env } = options;
      return rehearse(withEnvironment(rehearsal, env), {
        ...context,
        ...{ agent: entry.agent, agents, stage, pluginLooks, isolation: entry.isolation?.requested },
        ...defined({ output, model: entry.model, timeoutMs }),
        cassette: { file, record, speed, fromTurn },
        snapshots: { update, ci },
      });
    },
    release: (file) => held.delete(file),
  };
}
