import { seconds } from '../results/duration.js';
import { isRed } from '../results/entry-result.js';
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
  let red = 0;
  let began = 0;
  const area = new LiveArea(output, () => [
    ...[...running].map(([{ name }, { step, since }]) => `⋯ ${name} ${step} ${seconds(performance.now() - since)}`),
    `${done} of ${total}${red === 0 ? '' : `, ${red} red`}${timeLeft(performance.now() - began, done, total)}`,
  ]);
  const list = listReporter((line) => area.print(line), options);

  return {
    start(run) {
      total = run.entries.length;
      began = performance.now();
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
      if (isRed(result)) red++;
      list.end(entry, result);
    },
    finish(run) {
      area.stop();
      list.finish(run);
    },
  };
}

/** Before that, nobody can tell how long the rest will take. */
const ENOUGH = { done: 3, milliseconds: 5_000 };

/** `, about 2 min left`, if the rest takes as long as what has ended. */
function timeLeft(elapsed: number, done: number, total: number): string {
  if (done < ENOUGH.done || done === total || elapsed < ENOUGH.milliseconds) return '';
  const left = ((elapsed / done) * (total - done)) / 1000;
  return left < 60 ? `, about ${Math.ceil(left / 5) * 5} s left` : `, about ${Math.round(left / 60)} min left`;
}
