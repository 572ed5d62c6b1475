import type { LoopFact } from './iteration-log.js';

/** What a loop prints for people while it runs. The data for a harness is in its files. */
export interface LoopConsole {
  shows(fact: LoopFact): void;
  agentSays(text: string): void;
  warns(message: string): void;
}

const WIDTH = 60;

/** The console of a terminal; `quiet` leaves only the end and warnings. */
export function createConsole(write: (line: string) => void, { quiet = false, verbose = false } = {}): LoopConsole {
  const started = performance.now();
  let max = 0;
  const show = quiet ? () => {} : write;
  const warns = (message: string) => write(`warning: ${message}`);
  return {
    warns,
    agentSays: show,
    shows(fact) {
      switch (fact.type) {
        case 'start':
          max = fact.maxIterations;
          return;
        case 'iteration_start': {
          const rule = '═'.repeat(WIDTH);
          const elapsed = seconds(performance.now() - started);
          show(
            `\n${rule}\n ITERATION ${fact.iteration} | ${fact.hat} | ${elapsed} elapsed | ${fact.iteration}/${max}\n${rule}`,
          );
          return;
        }
        case 'iteration_end': {
          const topics = fact.published.map(({ topic }) => topic).join(', ') || 'no events';
          const failed = fact.failed ? ' | failed' : '';
          show(`[iter ${fact.iteration}/${max} done] ${seconds(fact.milliseconds)} | ${topics}${failed}`);
          if (verbose) for (const event of fact.published) show(`  ${JSON.stringify(event)}`);
          if (fact.ending === 'not_started') warns(fact.stderr);
          return;
        }
        case 'end': {
          const { reason, iterations, milliseconds } = fact;
          const lines = [
            `Loop terminated: ${reason}`,
            `Iterations: ${iterations}`,
            `Elapsed: ${seconds(milliseconds)}`,
          ];
          const rows = lines.map((line) => `│ ${line.padEnd(WIDTH - 4)} │`);
          write(`\n┌${'─'.repeat(WIDTH - 2)}┐\n${rows.join('\n')}\n└${'─'.repeat(WIDTH - 2)}┘`);
        }
      }
    },
  };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)}s`;
}
