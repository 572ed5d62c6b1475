import { constants } from 'node:os';
import type { RecordedCall } from '@understudy/agents';
import type { UntrustedFolder } from '@understudy/kit';

/** All starts in a folder: first the calls in order, then those that asked no model. */
export function readCallFiles(files: UntrustedFolder, folder: string): RecordedCall[] {
  const found = files.list(folder).flatMap(({ name }) => {
    const [, other, number] = /^(other-)?(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [{ name, asks: other === undefined, number: Number(number) }];
  });
  return found
    .sort((a, b) => Number(b.asks) - Number(a.asks) || a.number - b.number)
    .flatMap(({ name, asks, number }) => readCall(files, `${folder}/${name}`, asks ? number : undefined) ?? []);
}

function readCall(files: UntrustedFolder, folder: string, number: number | undefined): RecordedCall | undefined {
  const start = files.file(`${folder}/start`);
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
    const text = files.text(`${folder}/${name}`);
    if (text !== undefined) call[name] = text;
  }
  const end = files.file(`${folder}/end`);
  const [, kind, value] = /^(exit|signal) (\d+)\n$/.exec(end?.bytes.toString('utf8') ?? '') ?? [];
  if (end === undefined || kind === undefined) return call;
  const ended = kind === 'exit' ? { code: Number(value), signal: null } : { code: null, signal: signalName(value) };
  return { ...call, ended: { at: end.mtimeMs, ...ended } };
}

function signalName(number: string | undefined): string {
  const [name] = Object.entries(constants.signals).find(([, value]) => value === Number(number)) ?? [];
  return name ?? `signal ${number}`;
}
