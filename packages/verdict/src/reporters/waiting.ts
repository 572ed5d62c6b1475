import { paint, shortenLine } from '@understudy/kit';
import { seconds } from '../results/duration.js';
import type { AnnouncedEntry, Reporter } from './reporter.js';

/** So long nothing may be printed. */
const PATIENCE_MS = 60_000;

/** Where nothing can be drawn again, as in a log of CI: after each minute without a line, a line about what is waited for. */
export function tellWaiting(inner: Reporter, print: (line: string) => void): Reporter {
  const running = new Map<AnnouncedEntry, { since: number; step: string }>();
  let timer: NodeJS.Timeout | undefined;
  let left = 0;
  const wait = () => {
    clearInterval(timer);
    timer = setInterval(() => {
      // What began first is waited for longest.
      const [first] = running;
      if (first === undefined) return;
      const [{ name }, { since, step }] = first;
      const others = running.size > 1 ? ` and ${running.size - 1} more` : '';
      const text = `⋯ ${name} ${step} since ${seconds(performance.now() - since)}${others}; ${left} to go`;
      print(paint.dim(shortenLine(text, 200)));
    }, PATIENCE_MS);
    timer.unref();
  };
  return {
    start(run) {
      left = run.entries.length;
      inner.start(run);
      wait();
    },
    begin(entry) {
      running.set(entry, { since: performance.now(), step: 'starts' });
      inner.begin(entry);
    },
    step(entry, number, total, what) {
      const now = running.get(entry);
      if (now !== undefined) now.step = `${number}/${total} > ${what}`;
      inner.step(entry, number, total, what);
    },
    end(entry, result) {
      running.delete(entry);
      left--;
      inner.end(entry, result);
      wait();
    },
    finish(run) {
      clearInterval(timer);
      inner.finish(run);
    },
  };
}
