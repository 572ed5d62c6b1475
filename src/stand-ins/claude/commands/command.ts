/** What a command has to say, and how it ends where it does not end well. */
export interface Told {
  out: string;
  /** What it says on stderr. */
  err?: string;
  exitCode?: number;
}

/** A command of the CLI. */
export type Command = (words: readonly string[], env: NodeJS.ProcessEnv) => Promise<string | Told> | string | Told;
