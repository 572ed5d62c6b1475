import type { Stamped } from '@understudy/kit';
import type { CheckResult, Judgement } from '@understudy/verdict';

/** The stages on which the suites of users are played. */
export const entryStages = ['sim', 'scripted'] as const;

/** A stage on which a suite is played. */
export type EntryStage = (typeof entryStages)[number];

/** One thing to run: plain data, so that it can be listed, filtered and stored before anything is played. */
export interface SuiteEntry<Data = unknown> {
  /** No other entry of the same file has it. */
  readonly name: string;
  readonly description?: string | undefined;
  /** Words by which it can be chosen. The name of the suite is one, too. */
  readonly tags?: readonly string[] | undefined;
  /** The agent, or several: each is an entry of its own. `--agent` takes its place. */
  readonly agent?: string | readonly string[] | undefined;
  /** `sim` or `scripted`. `--stage` takes its place. */
  readonly stage?: EntryStage | undefined;
  /** What `play` needs to know: anything that JSON can say. */
  readonly data?: Data | undefined;
}

/** A file of a suite, as `entries` gets it. */
export interface SuiteFile {
  readonly path: string;
  readonly text: string;
  /** What stands in it, if it is JSON, TOML or YAML by its ending. */
  readonly document?: unknown;
}

/** An entry that is played now, on one agent and one stage. */
export interface SuitePlay<Data = unknown> {
  readonly name: string;
  /** The file that it is from: that of the suite, or the suite itself. */
  readonly file: string;
  readonly tags: readonly string[];
  readonly agent: string;
  readonly stage: EntryStage;
  readonly data: Data;
}

/** What an entry found: a result of your own, or one that `tools.checkRun` or `tools.checkTurn` gave. */
export type SuiteCheck = CheckResult | ({ readonly name: string } & Judgement);

type Entries<Data> = readonly SuiteEntry<Data>[];

/** A suite of a user; `Tools` is what its entries are played with. */
export interface SuiteOf<Data, Tools> {
  /** A tag of each of its entries. */
  readonly name: string;
  /** Which files are its own: a star and an ending, as `*.cases.json`. Without it, `entries` are all there are. */
  readonly files?: string | undefined;
  /** The entries, or what reads those of a file. It answers at once. */
  readonly entries: Entries<Data> | ((file: SuiteFile) => Entries<Data>);
  /** `any`: what agents and programs try outside of their sandbox is no failure. */
  readonly escapes?: 'any' | undefined;
  /** How long one entry may take. By default 300,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Plays an entry, and gives at least one check. What it throws is a fault of the suite, and no verdict. */
  readonly play: (entry: SuitePlay<Data>, tools: Tools) => Promise<readonly SuiteCheck[]> | readonly SuiteCheck[];
}

/** A suite that has been loaded. What its data is, it alone knows. */
export type LoadedSuite<Tools> = SuiteOf<unknown, Tools> & Stamped;
