import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  createScratch,
  type Enclosure,
  type Outcome,
  runToEnd,
  type Scratch,
  scrubbedEnvironment,
} from '@understudy/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxLimits } from './limits.js';
import { sandboxProblem } from './probe-sandbox.js';
import { Sandbox } from './sandbox.js';
import type { Attempt } from './watch.js';

const problem = await sandboxProblem();
const MB = 1024 ** 2;
const isArm = process.arch === 'arm64';
/** Takes the right to open files from the first process. */
const BLINDS = `syscall ${isArm ? 261 : 302}, 1, 7, my $none = "\\0" x 16, 0;`;

describe.skipIf(problem !== undefined)('a limit of the sandbox', () => {
  let scratch: Scratch;
  let cwd: string;

  beforeEach(() => {
    scratch = createScratch('limits-test');
    cwd = join(scratch.path, 'project');
    mkdirSync(cwd);
  });

  afterEach(() => {
    const closed = join(cwd, 'closed');
    if (existsSync(closed)) chmodSync(closed, 0o700);
    return scratch.remove();
  });

  async function run(script: string, limits: Partial<SandboxLimits>): Promise<Outcome & { attempts: Attempt[] }> {
    const sandbox = await Sandbox.open({ writable: [cwd], readable: [], ports: [], limits });
    try {
      const outcome = await runToEnd({
        ...{ command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment(), enclosure: sandbox },
        deadlineMs: 20_000,
      });
      return { ...outcome, attempts: sandbox.look() };
    } finally {
      await sandbox.close();
    }
  }

  /** Each: what is done, what ends it, and what is reported. */
  const attacks: Record<string, { script: string; limits: Partial<SandboxLimits>; kind: string; text: RegExp }> = {
    'memory of one process': {
      script: `perl -e '$x = "x" x ${150 * MB}; sleep 15'`,
      ...{ limits: { memoryBytes: 100 * MB }, kind: 'memory', text: /^\d+ MB of memory .* 100 MB that are allowed/ },
    },
    'memory of several processes together': {
      script: `for i in 1 2 3; do perl -e '$x = "x" x ${50 * MB}; sleep 15' & done; wait`,
      ...{ limits: { memoryBytes: 100 * MB }, kind: 'memory', text: /^\d+ MB of memory/ },
    },
    'memory of the empty folders': {
      script: `head -c ${80 * MB} /dev/zero > /tmp/a; head -c ${80 * MB} /dev/zero > /dev/shm/a; sleep 15`,
      ...{ limits: { memoryBytes: 100 * MB }, kind: 'memory', text: /^\d+ MB of memory/ },
    },
    'output without an end': {
      script: 'yes > /dev/null & yes | cat > /dev/null; wait',
      ...{ limits: { writtenBytes: 100 * MB }, kind: 'written', text: /of output and files were written/ },
    },
    'output of many short processes': {
      script: `while :; do head -c ${10 * MB} /dev/zero | cat > /dev/null; done`,
      ...{ limits: { writtenBytes: 100 * MB }, kind: 'written', text: /of output and files were written/ },
    },
    'memory of a process that shows nothing of it': {
      script: `perl -e 'syscall ${isArm ? 167 : 157}, 4, 0, 0, 0, 0; $x = "x" x (${150 * MB} + $$); sleep 15'`,
      ...{ limits: { memoryBytes: 100 * MB }, kind: 'memory', text: /^\d+ MB of memory/ },
    },
    'files in a folder that was closed': {
      script: `mkdir -m 300 closed; for i in 1 2 3 4; do fallocate -l ${40 * MB} closed/file$i; done; sleep 15`,
      ...{ limits: { diskBytes: 100 * MB }, kind: 'disk', text: /^files grew by \d+ MB/ },
    },
    'memory, when the command tries to make it blind': {
      script: `perl -e '${BLINDS} sleep 1; $x = "x" x (${150 * MB} + $$); sleep 15'`,
      ...{ limits: { memoryBytes: 100 * MB }, kind: 'memory', text: /^\d+ MB of memory/ },
    },
    'many files that are each allowed': {
      script: `for i in 1 2 3 4; do fallocate -l ${40 * MB} file$i; done; sleep 15`,
      ...{ limits: { diskBytes: 100 * MB }, kind: 'disk', text: /^files grew by \d+ MB/ },
    },
  };

  it.each(Object.entries(attacks))('ends %s, and is told', async (_name, { script, limits, kind, text }) => {
    const ended = await run(script, limits);
    expect(ended).toMatchObject({ signal: 'SIGKILL', attempts: [{ kind, text: expect.stringMatching(text) }] });
  });

  it('that cannot be looked at any more is one that was reached: where no filter keeps the first process as it is', async () => {
    const sandbox = await Sandbox.open({ writable: [cwd], readable: [], ports: [] });
    const unfiltered: Enclosure = {
      enclose(...start) {
        const enclosed = sandbox.enclose(...start);
        const at = enclosed.command.indexOf('--seccomp');
        return { ...enclosed, command: enclosed.command.filter((_, index) => index !== at && index !== at + 1) };
      },
    };
    const command = ['perl', '-e', `${BLINDS} sleep 15`];
    const start = { command, cwd, env: scrubbedEnvironment(), enclosure: unfiltered };
    const ended = await runToEnd({ ...start, deadlineMs: 20_000 }).finally(() => sandbox.close());
    expect(ended).toMatchObject({ signal: 'SIGKILL' });
    expect(sandbox.look()).toMatchObject([
      { kind: 'uncounted', text: expect.stringContaining('everything was ended') },
    ]);
  });

  it('is not reached by what processes share, by files that were there, and by files that are gone', async () => {
    await run(`fallocate -l ${150 * MB} before`, {});
    // A file of the second in which the sandbox starts counts as one of its own, if the disk has so much less space.
    const made = Math.floor(statSync(join(cwd, 'before')).ctimeMs / 1000);
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(made);
    const script = `for i in 1 2 3 4 5 6; do perl -e 'sleep 1' & done; touch new; head -c ${20 * MB} /dev/zero > gone
      rm gone; head -c ${20 * MB} /dev/zero > gone; wait; echo well`;
    const ended = await run(script, { memoryBytes: 24 * MB, diskBytes: 100 * MB, writtenBytes: 100 * MB });
    expect(ended).toMatchObject({ code: 0, stdout: 'well', attempts: [] });
    rmSync(join(cwd, 'before'));
  });

  it('of an empty folder is an error for the command, and is told', async () => {
    const ended = await run(`head -c ${30 * MB} /dev/zero > /tmp/big; sleep 0.3; rm /tmp/big; exit 3`, {
      temporaryBytes: 20 * MB,
    });
    expect(ended).toMatchObject({ code: 3, attempts: [{ kind: 'write', text: '/tmp was full' }] });
    expect(ended.stderr).toMatch(/No space left/);
  });

  it('holds for /dev, too: nobody writes there', async () => {
    const ended = await run('echo x > /dev/mine; echo x > /dev/null && echo fine; echo x > /dev/shm/x', {});
    expect(ended).toMatchObject({ code: 0, stdout: 'fine', stderr: expect.stringMatching(/mine.*Read-only/) });
  });
});
