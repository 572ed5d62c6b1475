import { join } from 'node:path';
import { countOf, defined, ownCommand, paint } from '@understudy/kit';
import { describeIsolation } from '@understudy/verdict';
import { scaffoldFolder } from '../scaffold/scaffold-folder.js';
import type { Scaffolded } from '../scaffold/scaffold-rehearsal.js';
import { chosenIsolation } from './chosen-isolation.js';
import { print, printJson, printNote } from './output.js';
import { version } from './version.js';

interface InitRehearsalOptions {
  force?: boolean;
  json?: boolean;
  start?: boolean;
  isolation?: string;
}

/** Writes a first rehearsal and prints how to run it. */
export async function initRehearsal(
  folder: string,
  { force = false, json = false, start = true, isolation }: InitRehearsalOptions,
): Promise<number> {
  const state = start ? await chosenIsolation(isolation) : undefined;
  const waiting = new Waiting();
  const { rehearsals, skipped } = await scaffoldFolder(folder, {
    ...{ force, start, isolation, version },
    say: (what) => waiting.begin(what),
  });
  waiting.end();
  const [first] = rehearsals;
  const isOne = rehearsals.length === 1 && skipped.length === 0;
  const next = `${ownCommand()} run ${isOne ? first?.file : join(folder, 'rehearsals')}`;
  if (json) {
    printJson({ ok: true, ...defined({ isolation: state }), ...(isOne ? first : { rehearsals, skipped }), next });
    return 0;
  }
  if (state !== undefined) print(describeIsolation(state));
  for (const rehearsal of rehearsals) printScaffolded(rehearsal);
  printSkipped(skipped);
  print(`\nNext: ${paint.bold(next)}`);
  return 0;
}

function printScaffolded({ plugin, steps, skipped, written }: Scaffolded): void {
  print(`${paint.green('✓')} ${plugin} ${paint.dim(countOf(steps.length, 'step'))}`);
  for (const name of steps) print(`  ${paint.dim('·')} ${name}`);
  for (const path of written) print(`  wrote ${path}`);
  printSkipped(skipped);
}

function printSkipped(skipped: Scaffolded['skipped']): void {
  for (const { name, reason, fix } of skipped)
    print(`  ${paint.yellow('problem')} ${name}: ${reason} ${paint.dim(fix)}`);
}

/** Says what is tried when it takes long. */
class Waiting {
  #timer: NodeJS.Timeout | undefined;

  begin(what: string): void {
    this.end();
    this.#timer = setTimeout(() => printNote(paint.dim(`trying the ${what} … (--no-start leaves that out)`)), SLOW_MS);
    this.#timer.unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

const SLOW_MS = 2000;
