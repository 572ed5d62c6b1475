import { appendFileSync } from 'node:fs';
import { tell, waitUntilKept } from '@understudy/agents';

/** What happened with one prompt: a line of `UNDERSTUDY_LOG`. */
export interface LogEntry {
  time: string;
  pid: number;
  argv: readonly string[];
  cwd: string;
  session_id: string;
  prompt: string;
  /** The slash command, if the prompt was one. */
  command?: string;
  model: string;
  /** The rules that answered, in order, such as `responses[2].turns[0]`. */
  matched: string[];
  outcome: 'success' | 'failure' | 'unanswered' | 'blocked' | 'interrupted' | 'local_command' | 'limit';
  /** The failure that was served, if one was. */
  failure?: string;
  result: string;
  /** What had no answer, in the prompt itself or in a subagent that it started. */
  unanswered?: { message: string; fix: string }[];
  tools: { name: string; input: unknown; is_error: boolean; how: string }[];
  /** What the model would be told, as far as a stand-in knows it: of the agent itself, then of its subagents. */
  told?: { agent?: string; system: string[]; messages: string[]; tools?: string[] }[];
  duration_ms: number;
}

/** A log of all prompts, one JSON line each; processes may share the file. */
export class RequestLog {
  readonly #file: string | undefined;

  constructor(file: string | undefined) {
    this.#file = file === '' ? undefined : file;
  }

  write(entry: LogEntry): void {
    this.#append(entry);
  }

  /** What the stand-in refused although the real CLI does it. */
  writeUnsupported(unsupported: string): void {
    this.#append({ time: new Date().toISOString(), pid: process.pid, unsupported });
  }

  #append(line: object): void {
    // What is printed next tells that it is there.
    if (tell('log', JSON.stringify(line))) waitUntilKept();
    else if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}
