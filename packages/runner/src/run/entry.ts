import type { OutputBudget, UnderstudyError } from '@understudy/kit';
import type { CheckResult, EntryResult } from '@understudy/verdict';

/**
 * One thing to run, such as a rehearsal on one agent and one stage. It is plain data: but for `broken`, it can be stored,
 * sent to another machine, and played there.
 */
export interface Entry
  extends Pick<
    EntryResult,
    | 'id'
    | 'kind'
    | 'name'
    | 'description'
    | 'file'
    | 'tags'
    | 'group'
    | 'agent'
    | 'model'
    | 'stage'
    | 'target'
    | 'round'
    | 'rerun'
    | 'case'
  > {
  /** The name of the player that plays it. */
  player: string;
  /** What only its player reads. */
  options?: unknown;
  /** A name for a folder of its own, without characters that a file name may not have. */
  folderName: string;
  /** How many calls of agents one play makes: as expected, and at most. */
  calls?: { expected: number; most: number };
  /** How far it is to be kept apart from this machine, as `--isolation`, and why not further. */
  isolation?: { requested: string | undefined; reason?: string };
  /** The files and folders that it is made of. */
  parts?: readonly string[];
  /** A real model may miss it now and then, without a fault of what is under test. */
  mayMiss?: boolean;
  /** A program of the user runs in it: it may be flaky where the model is not. */
  runsProgram?: true;
  /** How often it is tried again when it failed, instead of what the run says. */
  retries?: number;
  /** It mostly waits, and needs no processor for that: it is run beside the others. */
  waits?: true;
  /** Why it is not played on its stage, on any machine. */
  skip?: string;
  /** Why it is expected to fail, and the check that makes it red if it passes. */
  expectedFailure?: { reason: string; passesNow: CheckResult };
  /** Why it is an error before it is played: its file cannot be loaded. */
  broken?: UnderstudyError;
}

/** Plays the entries of one kind, and holds what they share in a run. */
export interface Player {
  /** Why an entry cannot be played on this machine, if so. */
  skipReason?(entry: Entry): Promise<string | undefined>;
  /** Plays an entry once. Errors of the harness are thrown. */
  play(entry: Entry, context: PlayContext): Promise<Played>;
  /** Called when no entry of a file will be played again: what is held of the file can go. */
  release?(file: string): void;
}

/** The players of a run, by the names that its entries have. */
export type Players = Readonly<Record<string, Player>>;

/** What is to be run, and who plays it. */
export interface Playable {
  entries: Entry[];
  players: Players;
}

/** What the runner gives to a player with an entry. */
export interface PlayContext {
  /** An empty folder. */
  folder: string;
  /** Ends the entry at once. */
  signal: AbortSignal;
  /** What all entries may write together. */
  output?: OutputBudget;
  /** Called when a step begins. */
  onStep(number: number, total: number, what: string): void;
}

/** What an entry found out. Its status follows from its checks. */
export type Played = Pick<
  EntryResult,
  'steps' | 'checks' | 'baselines' | 'context' | 'usage' | 'without' | 'witnesses' | 'workflow'
>;

export function playerOf({ player, id }: Entry, players: Players): Player {
  const found = players[player];
  if (found === undefined) throw new Error(`no player has the name ${player}, which ${id} asks for`);
  return found;
}

/** Whether the same entry may end otherwise the next time. */
export function mayVary({ stage, runsProgram }: Pick<Entry, 'stage' | 'runsProgram'>): boolean {
  return stage === 'live' || runsProgram === true;
}

/** Why an entry is not played here, if so. */
export async function skipReasonOf(entry: Entry, players: Players): Promise<string | undefined> {
  return entry.skip ?? (await playerOf(entry, players).skipReason?.(entry));
}

/** What is known of an entry before it has run. */
export function baseOf(entry: Entry): Omit<EntryResult, 'status'> {
  const {
    player: _player,
    options: _options,
    folderName: _folder,
    calls: _calls,
    isolation: _isolation,
    parts: _parts,
    mayMiss: _miss,
    waits: _waits,
    runsProgram: _program,
    retries: _retries,
    skip: _skip,
    broken: _broken,
    expectedFailure: _expected,
    ...identity
  } = entry;
  return { ...identity, steps: [], checks: [], attempts: 0, duration_ms: 0 };
}

/** An entry for another machine: its parts are paths from a folder that both have, and it sees for itself what is broken. */
export function sentEntry({ broken: _, ...entry }: Entry, partOf: (path: string) => string): Entry {
  return { ...entry, ...(entry.parts === undefined ? {} : { parts: entry.parts.map(partOf) }) };
}
