import pc from 'picocolors';
import type { Entry } from '../rehearsal/entry.js';
import { seconds } from './describe-result.js';
import { linesReporter } from './lines.js';
import type { Reporter } from './reporter.js';

interface Running {
  step: string;
  since: number;
}

const TICK_MS = 100;

/** What runs now, in which step and for how long, below the lines of what has ended. */
export function liveReporter(output: NodeJS.WriteStream): Reporter {
  const running = new Map<Entry, Running>();
  let total = 0;
  let done = 0;
  let drawn = 0;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (drawn > 0) output.write(`\u001B[${drawn}A\u001B[J`);
    drawn = 0;
  };
  const draw = () => {
    clear();
    const width = (output.columns ?? 80) - 1;
    const lines = [...running].map(([{ rehearsal }, { step, since }]) => {
      const text = `⋯ ${rehearsal.name} ${step} ${seconds(performance.now() - since)}`;
      return pc.cyan(text.length > width ? `${text.slice(0, width - 1)}…` : text);
    });
    lines.push(pc.dim(`${done} of ${total}`));
    output.write(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const lines = linesReporter((line) => {
    clear();
    output.write(`${line}\n`);
  });

  return {
    start(entries) {
      total = entries.length;
      timer = setInterval(draw, TICK_MS);
      timer.unref();
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
      clearInterval(timer);
      clear();
      lines.finish(run);
    },
  };
}
