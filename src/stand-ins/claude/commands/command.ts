/** A command of the CLI: gives what it prints. */
export type Command = (words: readonly string[], env: NodeJS.ProcessEnv) => Promise<string> | string;
