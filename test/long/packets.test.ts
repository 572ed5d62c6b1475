import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { startedBy } from '../../packages/kit/src/process/process-table.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { tally, triesOf } from '../helpers/attack.js';
import { attackedCommands, prepareAttack, scriptOf } from '../helpers/attacked-commands.js';
import { realAgent } from '../helpers/real-agents.js';

const TRIES = triesOf(1);
const SERVES_MS = 5_000;

/** strace writes down every connection and every look-up that was tried, of all that a command starts. */
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (TRIES > 0 && !canTrace) console.warn('skipped: strace is not here, or not allowed; no packet trap');

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('packets');
});
afterEach(() => scratch.remove());

const LOOPBACK = /127\.0\.0\.1|"::1"|::ffff:127\.0\.0\.1/;

describe.runIf(TRIES > 0 && canTrace)('the packet trap', () => {
  it.each(attackedCommands.filter(({ needs }) => needs === undefined))(
    '$name asks nobody but this machine',
    { timeout: 600_000 },
    async (command) => {
      if (command.real === true) await realAgent('claude');
      const { cwd, env } = prepareAttack(scratch.path);
      const trace = join(scratch.path, 'trace');
      const strace = ['-f', '-qq', '-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', trace];
      const failures: string[] = [];
      for (let count = 0; count < TRIES; count++) {
        const child = spawn('strace', [...strace, process.execPath, ...scriptOf(command)], {
          cwd,
          env,
          stdio: ['pipe', 'ignore', 'ignore'],
        });
        child.stdin.on('error', () => {});
        child.stdin.write(command.input ?? '');
        if (command.serves !== true) child.stdin.end();
        // strace does not hand on a signal: the command itself gets it.
        const stop = setTimeout(
          () => {
            for (const { pid } of startedBy(child.pid ?? 0)) process.kill(pid, 'SIGTERM');
          },
          command.serves === true ? SERVES_MS : 500_000,
        );
        await new Promise((resolve) => child.once('exit', resolve));
        clearTimeout(stop);
        if (!existsSync(trace)) failures.push('strace wrote nothing');
        else failures.push(...outsideIn(readFileSync(trace, 'utf8')));
      }
      tally('connections outside of this machine', command.name, TRIES, failures);
    },
  );
});

/**
 * What left this machine. In a sandbox there is no network, so nothing does: Claude Code looks up the `url` of a marketplace
 * there, if the session lasts long enough, and it may end while it does. Such a look-up sends nothing before it has a way.
 */
function outsideIn(trace: string): string[] {
  const isStopped = (line: string): boolean => /ENETUNREACH|htons\(53\).* = \?$/.test(line);
  return trace
    .split('\n')
    .filter((line) => /sa_family=AF_INET6?,/.test(line) && !LOOPBACK.test(line) && !isStopped(line));
}
