/** What a filter needs to know of a machine: its name for the kernel, and its numbers of system calls. */
interface Machine {
  audit: number;
  /** ptrace, process_vm_readv, process_vm_writev. */
  refused: readonly number[];
  ioctl: number;
}

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: { audit: 0xc000003e, refused: [101, 310, 311], ioctl: 16 },
  arm64: { audit: 0xc00000b7, refused: [117, 270, 271], ioctl: 29 },
};

/** Types into the terminal of whoever started it. */
const TIOCSTI = 0x5412;
/** On x64, system calls of another numbering begin here. */
const OTHER_NUMBERING = 0x40000000;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** EPERM. */
const REFUSE = 0x00050001;

/**
 * A seccomp filter, as `bwrap --seccomp` reads it: nobody traces or reads another process, and nobody types into the
 * terminal. Undefined on a machine that it does not know.
 */
export function systemCallFilter(arch: string = process.arch): Buffer | undefined {
  const machine = MACHINES[arch];
  if (machine === undefined) return undefined;
  const { audit, refused, ioctl } = machine;
  // Each line: what to do, how far to go on if true, if false, and the number. Refusing is the last line.
  const checks = refused.length;
  const lines: [number, number, number, number][] = [
    [LOAD, 0, 0, 4],
    [EQUAL, 0, checks + 6, audit],
    [LOAD, 0, 0, 0],
    [AT_LEAST, checks + 4, 0, OTHER_NUMBERING],
    ...refused.map((number, index): [number, number, number, number] => [EQUAL, checks - index + 3, 0, number]),
    [EQUAL, 0, 2, ioctl],
    [LOAD, 0, 0, 24],
    [EQUAL, 1, 0, TIOCSTI],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE],
  ];
  const filter = Buffer.alloc(lines.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of lines.entries()) {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(ifTrue, index * 8 + 2);
    filter.writeUInt8(ifFalse, index * 8 + 3);
    filter.writeUInt32LE(value, index * 8 + 4);
  }
  return filter;
}
