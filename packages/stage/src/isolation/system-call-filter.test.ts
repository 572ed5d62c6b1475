import { mkdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { createScratch, runToEnd, type Scratch, scrubbedEnvironment } from '@understudy/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxProblem } from './probe-sandbox.js';
import { Sandbox } from './sandbox.js';
import { systemCallFilter } from './system-call-filter.js';

const problem = await sandboxProblem();
const isArm = process.arch === 'arm64';
/** Numbers of x64 and of arm64. */
const call = (x64: number, arm64: number) => (isArm ? arm64 : x64);

const MINE = 'my ($pid, $nothing, $limits) = ($$, "\\0" x 64, pack "QQ", 100, 100);';
const REFUSED = /^-1 Operation not permitted$/;
const DONE = /^\d+/;

/** Each: an expression of Perl, and what comes of it. */
const CALLS: Readonly<Record<string, [perl: string, result: RegExp]>> = {
  'traces its parent': [`syscall(${call(101, 117)}, 16, getppid, 0, 0)`, REFUSED],
  'takes an open file of a process': [`syscall(438, syscall(434, $pid, 0), 1, 0)`, REFUSED],
  'adds a key': [`syscall(${call(248, 217)}, my $t = "user", my $d = "x", my $p = "x", 1, -2)`, REFUSED],
  'asks for a key': [`syscall(${call(249, 218)}, my $t = "user", my $d = "x", 0, -2)`, REFUSED],
  'looks for the keyring of the session': [`syscall(${call(250, 219)}, 0, -3, 0)`, REFUSED],
  'types into the terminal': ['syscall(IOCTL, 0, 0x5412, my $letter = "x") // -1', REFUSED],
  'types into the terminal with more bits': ['syscall(IOCTL, 0, 0x100005412, my $letter = "x")', REFUSED],
  'types into a console': ['syscall(IOCTL, 0, 0x541C, my $letter = "x")', REFUSED],
  'asks a terminal for its size, which is none': ['syscall(IOCTL, 0, 0x5413, $nothing)', /^-1 Inappropriate ioctl/],
  'limits the first process': [`syscall(${call(302, 261)}, 1, 7, $limits, 0)`, REFUSED],
  'limits itself': [`syscall(${call(302, 261)}, 0, 7, $limits, 0)`, DONE],
  'limits itself by its own number': [`syscall(${call(302, 261)}, $pid, 7, $limits, 0)`, DONE],
  'makes the first process slow': [`syscall(${call(141, 140)}, 0, 1, 19)`, REFUSED],
  'makes its group slow, and the first process with it': [`syscall(${call(141, 140)}, 1, 0, 19)`, REFUSED],
  'makes itself slow': [`syscall(${call(141, 140)}, 0, 0, 19)`, DONE],
  'lets the first process wait for all others': [`syscall(${call(144, 119)}, 1, 5, $nothing)`, REFUSED],
  'lets itself wait for all others': [`syscall(${call(144, 119)}, 0, 5, $nothing)`, DONE],
  'binds the first process to a processor': [`syscall(${call(203, 122)}, 1, 8, my $mask = pack "Q", 1)`, REFUSED],
  'has a ring, which would make sockets': ['syscall(425, 2, my $r = "\\0" x 120)', /^-1 Function not implemented$/],
  'has a socket to the machine around this one': ['socket(my $s, 40, 1, 0) // -1', /^-1 Address family not/],
  'has a socket to the ciphers of the kernel': ['socket(my $s, 38, 5, 0) // -1', /^-1 Address family not/],
  'has a socket of its own machine': ['socket(my $s, 1, 1, 0) // -1', DONE],
  'has a socket of the internet': ['socket(my $s, 2, 1, 0) // -1', DONE],
  'has a socket to ask for its network': ['socket(my $s, 16, 3, 0) // -1', DONE],
  'has a pair of sockets': ['socketpair(my $s, my $t, 1, 1, 0) // -1', DONE],
};

describe.skipIf(problem !== undefined)('a command in the sandbox', () => {
  let scratch: Scratch;
  let sandbox: Sandbox;
  let cwd: string;

  beforeAll(async () => {
    scratch = createScratch('filter-test');
    cwd = join(scratch.path, 'project');
    mkdirSync(cwd);
    sandbox = await Sandbox.open({ writable: [cwd], readable: [], ports: [] });
  });

  afterAll(async () => {
    await sandbox.close();
    await scratch.remove();
  });

  const run = (...command: string[]) =>
    runToEnd({ command, cwd, env: scrubbedEnvironment(), enclosure: sandbox, deadlineMs: 20_000 });

  it.each(Object.entries(CALLS))('%s', async (_name, [perl, result]) => {
    const expression = perl.replace('IOCTL', String(call(16, 29)));
    const ran = await run('perl', '-e', `${MINE} my $got = ${expression}; print "$got ", $got < 0 ? $! : "";`);
    expect(ran.stdout, ran.stderr).toMatch(result);
  });

  it('limits itself with prlimit and ulimit, and is slower with nice', async () => {
    const ran = await run('sh', '-c', 'ulimit -n 200 && prlimit --pid $$ --nofile=100 && ulimit -n && nice -n 3 nice');
    expect(ran).toMatchObject({ code: 0, stdout: `100\n${getPriority() + 3}` });
  });
});

it('knows two machines', () => {
  expect(systemCallFilter('arm64')?.length).toBe(systemCallFilter('x64')?.length);
  expect(systemCallFilter('riscv64')).toBeUndefined();
});
