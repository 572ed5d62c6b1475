import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { withLimitMark } from '../../packages/kit/src/process/limit-mark.js';
import { describeProcess, livingProcessesOf } from '../../packages/kit/src/process/process-table.js';
import { REAPER_NAME } from '../../packages/kit/src/process/reaper.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import { tally, triesOf } from '../helpers/attack.js';
import {
  type AttackedCommand,
  attackedCommands,
  prepareAttack,
  scriptOf,
  TEST_IMAGE,
} from '../helpers/attacked-commands.js';
import { realAgent } from '../helpers/real-agents.js';
import { seeded, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

const TRIES = triesOf(60);
const SEED = seedOr(20_261_115);
/** So long may it take until nothing of a killed command is left. */
const PATIENCE_MS = 20_000;
/** A server is killed within this time. */
const SERVES_MS = 1_500;
const AT_ONCE = 4;
/** The share of kills that take the guards, too. */
const WITH_GUARDS = 0.25;

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('kills');
});
afterEach(() => scratch.remove());

interface Started {
  process: ChildProcess;
  owner: string;
  /** It has printed something: a server is up. */
  said: Promise<void>;
  exited: Promise<number | null>;
}

function start(command: AttackedCommand, cwd: string, env: Record<string, string>): Started {
  const { input, serves } = command;
  const owner = randomBytes(8).toString('hex');
  const [program = '', ...rest] = withLimitMark([process.execPath, ...scriptOf(command)], owner);
  const child = spawn(program, rest, { cwd, env, stdio: 'pipe' });
  child.stdin?.on('error', () => {});
  child.stdin?.write(input ?? '');
  if (serves !== true) child.stdin?.end();
  const said = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) stream.on('data', () => resolve());
  });
  return { process: child, owner, said, exited: new Promise((resolve) => child.once('exit', (code) => resolve(code))) };
}

/** Its exit code. A server is asked to end when it is up. */
async function endOf(started: Started, { serves }: AttackedCommand): Promise<number | null> {
  if (serves === true) {
    await Promise.race([started.said, started.exited]);
    started.process.kill('SIGTERM');
  }
  return started.exited;
}

/** What is left of a command after its end, when it had time to go. */
async function leftOf({ process: { pid = 0 }, owner }: Started): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const left = livingProcessesOf({ pid, owner });
    if (left.length === 0 || Date.now() > deadline) return left.flatMap((found) => describeProcess(found) ?? []);
    await sleep(50);
  }
}

/** Kills the guards, too, as a machine does that runs out of memory: then the next start has to clear up. */
function killWithGuards({ process: child, owner }: Started): void {
  const guards = livingProcessesOf({ pid: child.pid ?? 0, owner }).filter((pid) =>
    describeProcess(pid)?.includes(REAPER_NAME),
  );
  child.kill('SIGKILL');
  for (const pid of guards) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** What the next start must not leave: unfinished runs, locks, mounts. */
function leftIn(cwd: string, temp: string, { script }: AttackedCommand): string[] {
  const runs = join(cwd, '.understudy/runs');
  const unfinished = existsSync(runs)
    ? readdirSync(runs).filter((name) => !existsSync(join(runs, name, 'result.json')))
    : [];
  const locks = ['.understudy', '.understudy/artifacts', '.e2e-tests'].filter((folder) =>
    existsSync(join(cwd, folder, '.lock')),
  );
  // A program that uses us may leave folders of its own.
  const inTemp = readdirSync(temp).filter((name) => script === undefined || name.startsWith('understudy-'));
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(temp) || line.includes(cwd));
  return [
    ...inTemp.map((name) => `left in the temp folder: ${name}`),
    ...unfinished.map((name) => `left among the runs: ${name}`),
    ...locks.map((folder) => `left locked: ${folder}`),
    ...mounts.map((line) => `left mounted: ${line}`),
  ];
}

const noSandbox = (await sandboxProblem()) !== undefined;
const possible = attackedCommands.filter(
  ({ needs }) => !(needs === 'sandbox' && noSandbox) && !(needs === 'docker' && TEST_IMAGE === ''),
);

/** Containers of processes that are gone, when they had time to go. */
async function containersLeft(): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { stdout } = spawnSync('docker', ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' });
    const names = stdout.split('\n').filter((name) => /^understudy-\d+-/.test(name));
    const left = names.filter((name) => !existsSync(`/proc/${/\d+/.exec(name)?.[0]}`));
    if (left.length === 0 || Date.now() > deadline) return left.map((name) => `left as a container: ${name}`);
    await sleep(200);
  }
}

describe.runIf(TRIES > 0 && process.platform === 'linux')(`kill -9, seed ${SEED}`, () => {
  it.each(possible)('$name: nothing is left, and the next start works', { timeout: 1_800_000 }, async (command) => {
    if (command.real === true) await realAgent('claude');
    const random = seeded(SEED);
    const failures: string[] = [];
    const lanes = Array.from({ length: Math.min(AT_ONCE, TRIES) }, (_, lane) =>
      prepareAttack(`${scratch.path}/${lane}`),
    );
    const [first] = lanes;
    if (first === undefined) return;
    const begun = performance.now();
    const whole = start(command, first.cwd, first.env);
    await endOf(whole, command);
    const lasts = command.serves === true ? SERVES_MS : performance.now() - begun;
    const moments = Array.from({ length: TRIES }, () => random() * lasts);
    await Promise.all(
      lanes.map(async ({ cwd, env, temp }) => {
        for (let moment = moments.pop(); moment !== undefined; moment = moments.pop()) {
          const started = start(command, cwd, env);
          await Promise.race([sleep(moment), started.exited]);
          const withGuards = random() < WITH_GUARDS;
          if (withGuards) killWithGuards(started);
          else started.process.kill('SIGKILL');
          await started.exited;
          if (withGuards) await runUnderstudy(['doctor', '--clean'], { cwd, env });
          for (const left of await leftOf(started)) failures.push(`killed after ${Math.round(moment)} ms: ${left}`);
        }
        // The next start clears what a killed guard could not, and is not hindered by anything.
        const next = start(command, cwd, env);
        const code = await endOf(next, command);
        if (code !== 0) failures.push(`the next start ended with ${code}`);
        for (const left of await leftOf(next)) failures.push(`after the next start: ${left}`);
        failures.push(...leftIn(cwd, temp, command));
        if (command.needs === 'docker') failures.push(...(await containersLeft()));
      }),
    );
    tally('kill -9 at a random moment', command.name, TRIES, failures);
  });
});
