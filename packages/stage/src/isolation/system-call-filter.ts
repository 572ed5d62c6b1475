import { constants } from 'node:os';

/** Numbers of system calls, by the machine. */
const CALLS = {
  x64: {
    ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, pidfd_getfd: 438, io_uring_setup: 425 },
    ...{ add_key: 248, request_key: 249, keyctl: 250, socket: 41, socketpair: 53, ioctl: 16, prlimit64: 302 },
    ...{ setpriority: 141, sched_setparam: 142, sched_setscheduler: 144, sched_setaffinity: 203, sched_setattr: 314 },
  },
  arm64: {
    ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, pidfd_getfd: 438, io_uring_setup: 425 },
    ...{ add_key: 217, request_key: 218, keyctl: 219, socket: 198, socketpair: 199, ioctl: 29, prlimit64: 261 },
    ...{ setpriority: 140, sched_setparam: 118, sched_setscheduler: 119, sched_setaffinity: 122, sched_setattr: 274 },
  },
} as const;

/** What the kernel calls these machines. */
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** One step: what to do, how far to go on if true, if false, and the number. */
type Line = [code: number, ifTrue: number, ifFalse: number, value: number];

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOWED = 0x7fff0000;
const refused = (error: number): Line => [RETURN, 0, 0, 0x00050000 | error];
const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;

/** On x64, system calls of another numbering begin here. */
const OTHER_NUMBERING = 0x40000000;

/** The lower half of an argument: none of those that matter here is longer for the kernel. */
const argument = (index: number): Line => [LOAD, 0, 0, 16 + index * 8];

/** Goes to the line after the next one if the value is another one. */
const unless = (value: number): Line => [EQUAL, 0, 1, value];
const allow: Line = [RETURN, 0, 0, ALLOWED];
const refuse = refused(EPERM);

/** For one system call: the lines that decide, which end in every case. */
const on = (call: number, ...lines: readonly Line[]): Line[] => [[EQUAL, 0, lines.length, call], ...lines];

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Others, as AF_VSOCK, are not part of a network of one's own. */
const FAMILIES = [1, 2, 10, 16];
/** Both type into the terminal of whoever started it: TIOCSTI, and TIOCLINUX on a console. */
const TYPING = [0x5412, 0x541c];
/** The first process in the sandbox, which keeps its limits: nobody limits it, or makes it slow. */
const FIRST = 1;

/**
 * A seccomp filter, as `bwrap --seccomp` reads it: nobody traces another process, reads its memory by a system call or
 * takes its files, types into the terminal, reaches the user's keys or a network that is not the sandbox's own, or
 * changes what the first process may use. Undefined on a machine that it does not know.
 */
export function systemCallFilter(arch: string = process.arch): Buffer | undefined {
  if (arch !== 'x64' && arch !== 'arm64') return undefined;
  const calls = CALLS[arch];
  const { ptrace, process_vm_readv, process_vm_writev, pidfd_getfd, add_key, request_key, keyctl } = calls;
  const { sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr } = calls;
  return assembled([
    [LOAD, 0, 0, 4],
    ...[[EQUAL, 1, 0, AUDIT[arch]] satisfies Line, refuse],
    [LOAD, 0, 0, 0],
    ...[[AT_LEAST, 0, 1, OTHER_NUMBERING] satisfies Line, refuse],
    ...[ptrace, process_vm_readv, process_vm_writev, pidfd_getfd, add_key, request_key, keyctl].flatMap((call) =>
      on(call, refuse),
    ),
    // It makes sockets, too, past this filter. Without it, programs use the usual calls.
    ...on(calls.io_uring_setup, refused(ENOSYS)),
    ...[calls.socket, calls.socketpair].flatMap((call) =>
      on(call, argument(0), ...FAMILIES.flatMap((family) => [unless(family), allow]), refused(EAFNOSUPPORT)),
    ),
    ...on(calls.ioctl, argument(1), ...TYPING.flatMap((request) => [unless(request), refuse]), allow),
    ...[calls.prlimit64, sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr].flatMap((call) =>
      on(call, argument(0), unless(FIRST), refuse, allow),
    ),
    // Of a process. A group or a user would be the first process, too.
    ...on(calls.setpriority, argument(0), [EQUAL, 1, 0, 0], refuse, argument(1), unless(FIRST), refuse, allow),
    allow,
  ]);
}

function assembled(lines: readonly Line[]): Buffer {
  const filter = Buffer.alloc(lines.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of lines.entries()) {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(ifTrue, index * 8 + 2);
    filter.writeUInt8(ifFalse, index * 8 + 3);
    filter.writeUInt32LE(value, index * 8 + 4);
  }
  return filter;
}
