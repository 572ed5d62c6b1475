import type { Entry } from '../rehearsal/entry.js';
import { seconds } from './describe-result.js';
import { linesReporter } from './lines.js';
import { LiveArea } from './live-area.js';
import type { Reporter } from './reporter.js';

interface Running {
  step: string;
  since: number;
}

/** What runs now, in which step and for how long, below the lines of what has ended. */
export function liveReporter(output: NodeJS.WriteStream): Reporter {
  const running = new Map<Entry, Running>();
  let total = 0;
  let done = 0;
  const area = new LiveArea(output, () => [
    ...[...running].map(
      ([{ rehearsal }, { step, since }]) => `⋯ ${rehearsal.name} ${step} ${seconds(performance.now() - since)}`,
    ),
    `${done} of ${total}`,
  ]);
  const lines = linesReporter((line) => area.print(line));

  return {
    start(entries) {
      total = entries.length;
      area.start();
    },
    begin(entry) {
      running.set(entry, { step: 'starts', since: performance.now() });
    },
    step(entry, number, count, send) {
      const now = running.get(entry);
      if (now !== undefined) now.step = `${number}/${count} > ${send.replace(/\s+/g, ' ')}`;
    },
    end(entry, result) {
      running.delete(entry);
      done++;
      lines.end(entry, result);
    },
    finish(run) {
      area.stop();
      lines.finish(run);
    },
  };
}
