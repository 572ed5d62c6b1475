import type { Exit } from '@understudy/kit';
import type { EventBody, TokenUsage } from './events.js';

/** How a turn ended, as far as the CLI's own output shows it. */
export interface TurnVerdict {
  outcome: 'completed' | 'failed';
  reason?: string;
  message?: string;
  usage?: TokenUsage;
  costUsd?: number;
}

/** Reads the output of one turn. */
export interface TurnReader {
  /** One line of stdout. */
  read(line: string): EventBody[];
  /** The output has ended: the verdict, by what was read. The exit code may only make it worse. */
  verdict(exit: Exit, stderr: string): TurnVerdict;
  /** The session's name, once the CLI has reported it. */
  readonly sessionId: string | undefined;
}

/** The value of a flag: `--format json`, `--format=json`. */
export function flagValue(args: readonly string[], ...names: string[]): string | undefined {
  for (const [index, word] of args.entries()) {
    if (word === '--') return undefined;
    if (names.includes(word)) return args[index + 1];
    const name = names.find((one) => word.startsWith(`${one}=`));
    if (name !== undefined) return word.slice(name.length + 1);
  }
  return undefined;
}

/** Parses a line of JSON; anything else is kept as unknown by the reader. */
export function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
