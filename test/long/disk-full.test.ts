import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { tally, triesOf } from '../helpers/attack.js';
import { attackedCommands, prepareAttack } from '../helpers/attacked-commands.js';
import { seeded, seedOr } from '../helpers/seeded.js';
import { type RunResult, runUnderstudy } from '../helpers/understudy.js';
import { untilHolds } from '../helpers/until-holds.js';

const TRIES = triesOf(40);
const SEED = seedOr(20_261_115);

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('disk-full');
});
afterEach(() => scratch.remove());

const WRITING = attackedCommands.filter(({ name }) =>
  ['run, sim', 'e2e', 'shim', 'init', 'loop run', 'hook'].includes(name),
);
const preload = `--require ${resolve('test/helpers/full-disk.cjs')}`;

describe.runIf(TRIES > 0)(`a disk that becomes full, seed ${SEED}`, () => {
  it.each(WRITING)(
    '$name tells it by name, or does without',
    { timeout: 900_000 },
    async ({ name, args, input = '' }) => {
      const random = seeded(SEED);
      const failures: string[] = [];
      const count = join(scratch.path, 'count');
      const play = (lane: string, more: Record<string, string>) => {
        const { cwd, env, temp } = prepareAttack(join(scratch.path, lane));
        return { temp, ended: runUnderstudy(args, { cwd, input, env: { ...env, NODE_OPTIONS: preload, ...more } }) };
      };
      await play('whole', { FULL_COUNT: count }).ended;
      const writes = Math.max(...readFileSync(count, 'utf8').trim().split('\n').map(Number));
      for (let number = 0; number < TRIES; number++) {
        const at = 1 + Math.floor(random() * writes);
        const { temp, ended } = play(`full-${number}`, { FULL_FROM: String(at) });
        const problem = wrongWith(await ended);
        if (problem !== undefined) failures.push(`full from write ${at} of ${writes}: ${problem}`);
        // The guard clears up behind the process, so a moment later.
        const isClear = untilHolds(() => readdirSync(temp).length === 0, 'nothing is left', 20_000);
        await isClear.catch(() => failures.push(`full from write ${at} of ${writes} leaves ${readdirSync(temp)}`));
      }
      tally('the disk is full from a random write on', name, TRIES, failures);
    },
  );
});

/** A full disk is named with a fix, or nothing needed it. It is never a fault of ours, and never a crash. */
function wrongWith({ code, signal, stdout, stderr }: RunResult): string | undefined {
  const printed = `${stdout}\n${stderr}`;
  if (signal !== null) return `ended by ${signal}`;
  if (/INTERNAL|^ {4}at .*:\d+:\d+\)?$/m.test(printed)) return `not caught: ${printed.slice(0, 1500)}`;
  if (![0, 1, 2].includes(code ?? -1)) return `exit code ${code}`;
  if (code !== 0 && !/DISK_FULL|ENOSPC|disk is full/.test(printed)) return `not named: ${printed.slice(0, 1500)}`;
  return undefined;
}
