import { constants } from 'node:os';
import { type RecordedCall, type Teller, toldAs } from '@understudy/agents';
import type { UntrustedFolder } from '@understudy/kit';

/** All starts in a folder: first the calls in order, then those that asked no model. */
export function readCallFiles(files: UntrustedFolder, folder: string): RecordedCall[] {
  return inOrder(
    files.list(folder).map(({ name }) => ({ name, read: (part: string) => files.file(`${folder}/${name}/${part}`) })),
  );
}

/** The same, of calls that were told: each by the process that the kernel says. */
export function toldCalls(tellers: readonly Teller[], folder: string): RecordedCall[] {
  const found = tellers.flatMap((teller) => {
    const [of, name = ''] = toldAs(teller, 'call')?.bytes.toString('utf8').split('\0') ?? [];
    return of === folder ? [{ name, read: (part: string) => toldAs(teller, part) }] : [];
  });
  return inOrder(found);
}

/** Where a call was recorded: its name, and what is there under the name of a part. */
interface Source {
  name: string;
  read(part: string): { bytes: Buffer; mtimeMs: number } | undefined;
}

function inOrder(sources: readonly Source[]): RecordedCall[] {
  const found = sources.flatMap(({ name, read }) => {
    const [, other, number] = /^(other-)?(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [{ read, asks: other === undefined, number: Number(number) }];
  });
  return found
    .sort((a, b) => Number(b.asks) - Number(a.asks) || a.number - b.number)
    .flatMap(({ read, asks, number }) => readCall(read, asks ? number : undefined) ?? []);
}

function readCall(read: Source['read'], number: number | undefined): RecordedCall | undefined {
  const start = read('start');
  const [pid, parentPid, parentCommand = '', cwd = '', ...words] =
    start?.bytes.toString('utf8').split('\0').slice(0, -1) ?? [];
  // It has only just begun.
  if (start === undefined || pid === undefined) return undefined;
  const call: RecordedCall = {
    ...(number === undefined ? {} : { number }),
    ...{ pid: Number(pid), parent: { pid: Number(parentPid), command: parentCommand }, cwd, words },
    startedAt: start.mtimeMs,
  };
  for (const name of ['stdin', 'stdout', 'stderr', 'unsupported'] as const) {
    const stream = read(name);
    if (stream !== undefined) call[name] = stream.bytes.toString('utf8');
  }
  const end = read('end');
  const [, kind, value] = /^(exit|signal) (\d+)\n$/.exec(end?.bytes.toString('utf8') ?? '') ?? [];
  if (end === undefined || kind === undefined) return call;
  const ended = kind === 'exit' ? { code: Number(value), signal: null } : { code: null, signal: signalName(value) };
  return { ...call, ended: { at: end.mtimeMs, ...ended } };
}

function signalName(number: string | undefined): string {
  const [name] = Object.entries(constants.signals).find(([, value]) => value === Number(number)) ?? [];
  return name ?? `signal ${number}`;
}
