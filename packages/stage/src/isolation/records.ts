import { closeSync, openSync, readSync } from 'node:fs';
import { describeTeller, type Frame, type Teller, type Told } from '@understudy/agents';
import { readIfThere, type Unreadable } from '@understudy/kit';
import { readReport } from './report.js';

interface OpenTeller extends Teller {
  frames: Frame[];
  pending: Buffer;
}

export interface KnownProcess {
  /** Of the file that it runs: a name can be taken, this cannot. */
  identity: string;
  words: string;
}

/** What a process is, of the command that has this report. */
export type RoleOf = (process: KnownProcess & { pid: number }, report: string) => Teller['role'];

/** What one command left, and what of it was read. */
interface Source {
  file: string;
  report: string;
  read: number;
  rest: Buffer;
  tellers: Map<number, OpenTeller>;
  child?: number;
  isDeaf: boolean;
}

const HEADER = 17;
const PIECE = 1024 ** 2;

/** What recorders told in a sandbox, as its first process wrote it down: a file for each command that was started. */
export class Records implements Told {
  readonly #refused: Unreadable[] = [];
  readonly #sources: Source[] = [];
  readonly #roleOf: RoleOf;

  constructor(roleOf: RoleOf) {
    this.#roleOf = roleOf;
  }

  /** One more command is started, which has this file. */
  expect(file: string, report: string): void {
    this.#sources.push({ file, report, read: 0, rest: Buffer.alloc(0), tellers: new Map(), isDeaf: false });
  }

  /** Reads all that is there: its files go. */
  keep(): void {
    this.tellers();
    for (const source of this.#sources) keepReported(source);
  }

  get mainPids(): (number | undefined)[] {
    for (const source of this.#sources) keepReported(source);
    return this.#sources.map(({ child }) => child);
  }

  /** What cannot be believed, and that nobody listened to the end. */
  get unreadable(): Unreadable[] {
    for (const source of this.#sources) keepReported(source);
    const deaf = this.#sources.some(({ isDeaf }) => isDeaf);
    const reason = 'ended before the agent did: what was told and asked since then is not known';
    return [...this.#refused, ...(deaf ? [{ path: 'the process that recorders tell', reason }] : [])];
  }

  tellers(): readonly Teller[] {
    return this.#sources.flatMap((source, index) => {
      for (const bytes of piecesBehind(source.file, source.read)) {
        source.read += bytes.length;
        source.rest = this.#take(Buffer.concat([source.rest, bytes]), index);
      }
      return [...source.tellers.values()];
    });
  }

  /** Those that told something of this name and are what they say. Of others, it is known that they are not. */
  tellersThat(name: string): readonly Teller[] {
    return this.tellers().filter((teller) => {
      if (!teller.frames.some((frame) => frame.name === name)) return false;
      if (teller.role !== 'other') return true;
      this.refuse(name, teller, 'no agent');
      return false;
    });
  }

  /** What such a process told does not count, and nothing is green by it. */
  refuse(name: string, teller: Teller, what: string): void {
    const path = `a record (${name})`;
    const reason = `comes from ${describeTeller(teller)}, which is ${what}`;
    if (!this.#refused.some((one) => one.reason === reason)) this.#refused.push({ path, reason });
  }

  /** Takes whole lines, and gives back what is left. */
  #take(bytes: Buffer, index: number): Buffer {
    let at = 0;
    while (bytes.length - at >= HEADER) {
      const length = bytes.readUInt32BE(at + 5);
      if (bytes.length - at < HEADER + length) break;
      const body = bytes.subarray(at + HEADER, at + HEADER + length);
      this.#line(
        index,
        String.fromCharCode(bytes[at] ?? 0),
        bytes.readUInt32BE(at + 1),
        bytes.readDoubleBE(at + 9),
        body,
      );
      at += HEADER + length;
    }
    return Buffer.from(bytes.subarray(at));
  }

  #line(index: number, what: string, number: number, time: number, body: Buffer): void {
    const source = this.#sources[index];
    if (source === undefined) return;
    const teller = source.tellers.get(number);
    if (what === 'x') this.#refused.push({ path: source.file, reason: 'more was recorded than is kept' });
    else if (what === 'i') {
      const [pid = '', device = '', inode = '', program = '', words = '', above = ''] = body
        .toString('utf8')
        .split('\0');
      const role = this.#roleOf({ pid: Number(pid), identity: `${device}:${inode}`, words }, source.report);
      const is = {
        start: index,
        pid: Number(pid),
        program,
        words,
        role,
        above: above
          .split(' ')
          .filter((one) => one !== '')
          .map(Number),
      };
      if (teller === undefined)
        source.tellers.set(number, {
          ...is,
          id: `${index + 1}.${number}`,
          startedAt: time,
          frames: [],
          pending: Buffer.alloc(0),
          isOver: false,
        });
      // Whoever told something as somebody else stays that.
      else Object.assign(teller, is, teller.frames.length === 0 || role === teller.role ? {} : { role: 'other' });
    } else if (what === 'e' && teller !== undefined) teller.isOver = true;
    else if (what === 'd' && teller !== undefined) {
      teller.pending = Buffer.concat([teller.pending, body]);
      takeFrames(teller, time);
    }
  }
}

/** Reports go with the sandbox. */
function keepReported(source: Source): void {
  const { child, blind } = readReport(readIfThere(source.report) ?? '');
  if (child !== undefined) source.child = child;
  if (blind) source.isDeaf = true;
}

function takeFrames(teller: OpenTeller, at: number): void {
  let { pending } = teller;
  while (pending.length >= 2) {
    const named = pending.readUInt16BE(0);
    if (pending.length < 6 + named) break;
    const length = pending.readUInt32BE(2 + named);
    if (pending.length < 6 + named + length) break;
    const name = pending.toString('latin1', 2, 2 + named);
    teller.frames.push({ name, bytes: Buffer.from(pending.subarray(6 + named, 6 + named + length)), at });
    pending = pending.subarray(6 + named + length);
  }
  teller.pending = Buffer.from(pending);
}

function* piecesBehind(file: string, from: number): Generator<Buffer> {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch {
    return;
  }
  try {
    for (let at = from; ; ) {
      const piece = Buffer.alloc(PIECE);
      const count = readSync(opened, piece, 0, PIECE, at);
      if (count === 0) return;
      at += count;
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(opened);
  }
}
