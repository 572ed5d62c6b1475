import type { LoopEvent } from './events.js';
import type { TerminationReason } from './termination.js';

/** How much a loop tells people. Facts are in its files. */
export interface LoopConsole {
  iterationStarts(iteration: number, max: number, hat: string, elapsedMs: number): void;
  agentSays(text: string): void;
  iterationEnds(
    iteration: number,
    max: number,
    milliseconds: number,
    events: readonly LoopEvent[],
    failed: boolean,
  ): void;
  ends(reason: TerminationReason, iterations: number, elapsedMs: number): void;
  warns(message: string): void;
}

const WIDTH = 60;

/** The console of a terminal; `quiet` keeps what the agent says to itself. */
export function createConsole(write: (line: string) => void, { quiet = false, verbose = false } = {}): LoopConsole {
  return {
    iterationStarts(iteration, max, hat, elapsedMs) {
      if (!quiet)
        write(
          `\n${'═'.repeat(WIDTH)}\n ITERATION ${iteration} | ${hat} | ${seconds(elapsedMs)} elapsed | ${iteration}/${max}\n${'═'.repeat(WIDTH)}`,
        );
    },
    agentSays(text) {
      if (!quiet) write(text);
    },
    iterationEnds(iteration, max, milliseconds, events, failed) {
      if (quiet) return;
      const topics = events.length === 0 ? 'no events' : events.map(({ topic }) => topic).join(', ');
      write(`[iter ${iteration}/${max} done] ${seconds(milliseconds)} | ${topics}${failed ? ' | failed' : ''}`);
      if (verbose) for (const event of events) write(`  ${JSON.stringify(event)}`);
    },
    ends(reason, iterations, elapsedMs) {
      const lines = [`Loop terminated: ${reason}`, `Iterations: ${iterations}`, `Elapsed: ${seconds(elapsedMs)}`];
      const rows = lines.map((line) => `│ ${line.padEnd(WIDTH - 4)} │`);
      write(`\n┌${'─'.repeat(WIDTH - 2)}┐\n${rows.join('\n')}\n└${'─'.repeat(WIDTH - 2)}┘`);
    },
    warns(message) {
      write(`warning: ${message}`);
    },
  };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)}s`;
}
