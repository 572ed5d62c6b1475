import { fstatSync, readSync, writeSync } from 'node:fs';

/**
 * In a sandbox, recorders do not write what agents and their tools can write, too. They tell it to a socket, and the first
 * process of the sandbox writes it to a file outside, with what the kernel says of who told it.
 */
export const RECORDS_SOCKET = '/run/understudy-records/socket';

/** The variable that names the descriptor by which a stand-in tells; `open`: the first process of the sandbox opens it. */
export const RECORDS_FD = 'UNDERSTUDY_RECORDS_FD';

/** Says that somebody tells: it goes on when the kernel was asked who it is. Without this, it may have ended before. */
export const KNOW_ME = 'know-me';

/** A process that told something. */
export interface Teller {
  id: string;
  /** The command in which it ran, from 0: each has process ids of its own. */
  start: number;
  pid: number;
  /** The processes that it comes from, the nearest first. */
  above: readonly number[];
  /** The file that it ran when it told, and its words. */
  program: string;
  words: string;
  /** `main`: what we started there. `agent`: an agent. `other`: at some time when it told something, it was neither. */
  role: 'main' | 'agent' | 'other';
  startedAt: number;
  frames: readonly Frame[];
  isOver: boolean;
}

/** One thing that was told: a piece of what has this name. */
export interface Frame {
  name: string;
  bytes: Buffer;
  at: number;
}

/** What was told so far in the sandbox of one conversation or program. */
export interface Told {
  tellers(): readonly Teller[];
  /** The process that we started, as it is called inside, of each command that was started. */
  readonly mainPids: readonly (number | undefined)[];
}

/** All that a process told of one name, and when it told it first and last. */
export function toldAs(
  { frames }: Teller,
  name: string,
): { bytes: Buffer; firstAt: number; mtimeMs: number } | undefined {
  const own = frames.filter((frame) => frame.name === name);
  const [first] = own;
  const last = own.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { bytes: Buffer.concat(own.map(({ bytes }) => bytes)), firstAt: first.at, mtimeMs: last.at };
}

export function describeTeller({ program, pid, words }: Pick<Teller, 'program' | 'pid' | 'words'>): string {
  return `${program} (process ${pid}: ${words.slice(0, 200)})`;
}

/** Lines of Perl: `tell NAME, BYTES` tells something, where there is somebody to be told. */
export const PERL_TELLS = `my $told;
if (-S '${RECORDS_SOCKET}') { socket $told, 1, 1, 0 and connect $told, pack('S a108', 1, '${RECORDS_SOCKET}') or undef $told; }
sub tell_of { my ($name, $bytes) = @_; return if !$told; my $frame = pack 'n/a* N/a*', $name, $bytes; for (my $done = 0; $done < length $frame;) { $done += syswrite($told, $frame, length($frame) - $done, $done) // return; } }
`;

/** Words before a command of a stand-in: it gets a descriptor by which it tells. */
export const TELLING_LAUNCHER: string = `$^F = 255; my $told; socket $told, 1, 1, 0 and connect $told, pack('S a108', 1, '${RECORDS_SOCKET}') and $ENV{${RECORDS_FD}} = fileno $told; exec { $ARGV[0] } @ARGV; exit 127`;

/** Tells that a process was started for a tool: it has the same parent as hooks, and could pass for one. */
export function tellStarted(pid: number): void {
  tell(STARTED, String(pid));
}

/** The processes that stand-ins started for tools. */
export function startedForTools(tellers: readonly Teller[]): Pick<Teller, 'start' | 'pid'>[] {
  const own = tellers.filter(({ role }) => role !== 'other');
  return own.flatMap(({ start, frames }) =>
    frames.flatMap(({ name, bytes }) => (name === STARTED ? [{ start, pid: Number(bytes.toString()) }] : [])),
  );
}

const STARTED = 'started';

let descriptor: number | 'none' | undefined;

/** Whoever starts us may hand on the variable, and not the descriptor. */
function openDescriptor(): number | 'none' {
  const number = Number(process.env[RECORDS_FD] ?? '');
  try {
    if (!(number > 2 && fstatSync(number).isSocket())) return 'none';
    write(number, KNOW_ME, Buffer.alloc(0));
    return readSync(number, Buffer.alloc(1)) === 1 ? number : 'none';
  } catch {
    return 'none';
  }
}

/** Tells something from here; false where nobody is to be told. */
export function tell(name: string, bytes: string | Uint8Array): boolean {
  descriptor ??= openDescriptor();
  if (descriptor === 'none') return false;
  write(descriptor, name, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return true;
}

function write(descriptor: number, name: string, body: Uint8Array): void {
  const frame = Buffer.alloc(6 + name.length + body.length);
  frame.writeUInt16BE(name.length);
  frame.write(name, 2, 'latin1');
  frame.writeUInt32BE(body.length, 2 + name.length);
  frame.set(body, 6 + name.length);
  for (let done = 0; done < frame.length; ) done += writeSync(descriptor, frame, done);
}
