import type { OutputBudget, UnderstudyError } from '@understudy/kit';
import type { EntryResult } from '@understudy/verdict';

/** One thing to run: a rehearsal or a case, on one agent and one stage. The runner knows no more of it than this. */
export interface Entry
  extends Pick<
    EntryResult,
    'id' | 'kind' | 'name' | 'description' | 'file' | 'tags' | 'group' | 'agent' | 'stage' | 'round' | 'rerun' | 'case'
  > {
  /** A name for a folder of its own, without characters that a file name may not have. */
  folderName: string;
  /** How many calls of agents one play makes: as expected, and at most. */
  calls?: { expected: number; most: number };
  /** How far it is to be kept apart from this machine, as `--isolation`, and why not further. */
  isolation?: { asked: string | undefined; reason?: string };
  /** The files and folders that it is made of. */
  parts?: readonly string[];
  /** A real model may miss it now and then, without a fault of what is under test. */
  mayMiss?: boolean;
  /** It mostly waits, and needs no processor for that: it is run beside the others. */
  waits?: true;
  /** Why it is an error before it is played: its file cannot be loaded. */
  broken?: UnderstudyError;
  /** Why it cannot be run here, if so. */
  skipReason(): Promise<string | undefined>;
  /** Plays it once. Errors of the harness are thrown. */
  play(context: PlayContext): Promise<Played>;
  /** Called when it will not be played again: what it holds can go. */
  done?(): void;
}

/** What the runner gives to an entry that it plays. */
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
export type Played = Pick<EntryResult, 'steps' | 'checks' | 'baselines' | 'context' | 'usage' | 'without' | 'workflow'>;
