import { defined, type Exit } from '@understudy/kit';
import type { CallReader } from '../driver.js';
import type { EventBody } from '../events.js';
import { flagValue, parseJsonLine, type TurnReader, type TurnVerdict } from '../turn-reader.js';
import { ClaudeTranslator } from './translate.js';
import { judgeTurn } from './verdict.js';

/** Reads what `claude -p` writes with `--output-format stream-json`, or `json` with `--verbose`. */
class ClaudeCallReader implements TurnReader {
  readonly #translator: ClaudeTranslator;
  sessionId: string | undefined;

  constructor(stage: string) {
    this.#translator = new ClaudeTranslator(stage);
  }

  read(line: string): EventBody[] {
    const parsed = parseJsonLine(line);
    if (parsed === undefined) return [{ type: 'unknown', kind: 'text on stdout', data: line }];
    return [parsed].flat().flatMap((one) => {
      const events = this.#translator.translate(one);
      for (const event of events) if (event.type === 'session') this.sessionId = event.sessionId;
      return events;
    });
  }

  verdict(exit: Exit, stderr: string): TurnVerdict {
    const { result, ...seen } = this.#translator.seen;
    if (result === undefined) {
      const said = stderr.trim().slice(-1000);
      const message = `Claude Code ended without a result (exit code ${exit.code}) ${said}`.trim();
      return { outcome: 'failed', reason: 'no_answer', message };
    }
    const { outcome, reason, message, usage, costUsd } = judgeTurn(
      { ...seen, result },
      { command: undefined, interrupted: false, milliseconds: 0 },
    );
    return {
      outcome: outcome === 'completed' ? 'completed' : 'failed',
      ...defined({ reason, message, usage, costUsd }),
    };
  }
}

/** The reader for a call with these arguments; undefined for output that has only the last message. */
export function claudeCallReader(args: readonly string[], stage: string): CallReader | undefined {
  const format = flagValue(args, '--output-format');
  const tellsAll = format === 'stream-json' || (format === 'json' && args.includes('--verbose'));
  if (!tellsAll) return undefined;
  // The CLI reports hooks, permissions and commands on the control channel, which such a call does not have.
  return { reader: new ClaudeCallReader(stage), reports: ['tools', 'plugins', 'mcp_servers', 'subagents'] };
}
