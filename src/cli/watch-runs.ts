import { relative } from 'node:path';
import { defined, paint } from '@understudy/kit';
import { keyboard, WATCH_KEYS, type Watched, watchAndRun } from '@understudy/runner';
import { print, printError } from './output.js';
import type { RunFlags } from './run-flags.js';

const SHOWN = 3;

/** `--watch`: runs again what a changed file touches or a key asks for, and says which it was. */
export async function watchRuns<Flags extends RunFlags>(
  flags: Flags,
  signal: AbortSignal,
  { watched, run }: { watched(): Watched; run(names: readonly string[], flags: Flags): Promise<unknown> },
): Promise<number> {
  const input = keyboard();
  await watchAndRun({
    ...{ watched, signal, keyboard: input },
    async run({ names, onlyFailed, filter, changed }) {
      if (changed.length > 0) print(paint.cyan(`\nchanged: ${describe(changed)}`));
      const asked = {
        ...flags,
        ...defined({ grep: filter }),
        // A filter or a look at what failed may have found nothing: that is no reason to end.
        ...(onlyFailed ? { lastFailed: true as const } : {}),
      };
      await run(names, asked).catch(printError);
    },
    onWait: () => print(`\nwatching; ${input === undefined ? 'Ctrl-C ends' : WATCH_KEYS}`),
  });
  return 0;
}

function describe(changed: readonly string[]): string {
  const names = changed.slice(0, SHOWN).map((file) => relative('.', file));
  const rest = changed.length - SHOWN;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}
