import { seconds } from '../results/duration.js';
import { type ListOptions, listReporter } from './list.js';
import { LiveArea } from './live-area.js';
import type { AnnouncedEntry, Reporter } from './reporter.js';

interface Running {
  step: string;
  since: number;
}

/** For a terminal: what runs now, in which step and for how long, below the lines of the list. */
export function liveReporter(output: NodeJS.WriteStream, options: ListOptions = {}): Reporter {
  const running = new Map<AnnouncedEntry, Running>();
  let total = 0;
  let done = 0;
  const area = new LiveArea(output, () => [
    ...[...running].map(([{ name }, { step, since }]) => `⋯ ${name} ${step} ${seconds(performance.now() - since)}`),
    `${done} of ${total}`,
  ]);
  const list = listReporter((line) => area.print(line), options);

  return {
    start(run) {
      total = run.entries.length;
      list.start(run);
      area.start();
    },
    begin(entry) {
      running.set(entry, { step: 'starts', since: performance.now() });
    },
    step(entry, number, count, what) {
      const now = running.get(entry);
      if (now !== undefined) now.step = `${number}/${count} > ${what.replace(/\s+/g, ' ')}`;
    },
    end(entry, result) {
      running.delete(entry);
      done++;
      list.end(entry, result);
    },
    finish(run) {
      area.stop();
      list.finish(run);
    },
  };
}
