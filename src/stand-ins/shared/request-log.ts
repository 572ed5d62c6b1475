import { appendFileSync } from 'node:fs';

/** What one prompt came to, for `UNDERSTUDY_LOG`. */
export interface LogEntry {
  time: string;
  pid: number;
  argv: readonly string[];
  cwd: string;
  session_id: string;
  prompt: string;
  /** The slash command that it was, if it was one. */
  command?: string;
  model: string;
  /** Where in the scenario the answer is written: `responses[2].turns[0]`. All of them, in order. */
  matched: string[];
  outcome: 'success' | 'failure' | 'unanswered' | 'blocked' | 'interrupted' | 'local_command' | 'limit';
  /** The failure that was served, if one was. */
  failure?: string;
  result: string;
  tools: { name: string; input: unknown; is_error: boolean; how: string }[];
  duration_ms: number;
}

/** A log of all prompts, one JSON line each; processes may share the file. */
export class RequestLog {
  readonly #file: string | undefined;

  constructor(file: string | undefined) {
    this.#file = file === '' ? undefined : file;
  }

  write(entry: LogEntry): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }
}
