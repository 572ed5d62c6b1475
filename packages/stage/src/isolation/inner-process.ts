import { readFileSync } from 'node:fs';

/** The command in a sandbox: the child of its first process that is not the forwarder, which is the one started last. */
export function mainProcessOf(outer: number): number | undefined {
  const [supervisor] = childrenOf(outer);
  return supervisor === undefined ? undefined : mainChildOf(supervisor);
}

function mainChildOf(supervisor: number): number | undefined {
  const first = childrenOf(supervisor).slice(0, 2);
  // The forwarder is a copy of the supervisor, with the same words.
  return first.find((pid) => wordsOf(pid) !== wordsOf(supervisor));
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
}

function wordsOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
