/** How much a sandbox or a container may use. */
export interface SandboxLimits {
  /** An agent with its servers, hooks and tools needs some hundred; threads count. */
  processes: number;
  /** The largest file: more than may be written, so that the other limits come first and show what happened. */
  fileBytes: number;
  /** What is written into each of the empty folders, in memory. */
  temporaryBytes: number;
  /** All processes and the empty folders together. */
  memoryBytes: number;
  /** All that is ever written: into files, pipes and terminals. */
  writtenBytes: number;
  /** By how much the project, the home and the temporary folder may grow. */
  diskBytes: number;
}

const GB = 1024 ** 3;

export const sandboxLimits: SandboxLimits = {
  processes: 1024,
  fileBytes: 6 * GB,
  temporaryBytes: GB,
  memoryBytes: 4 * GB,
  writtenBytes: 4 * GB,
  diskBytes: 4 * GB,
};

/** For the first process, which knows them by their order. */
export function limitLines({ fileBytes, processes, memoryBytes, writtenBytes, diskBytes }: SandboxLimits): string {
  return [fileBytes, processes, memoryBytes, writtenBytes, diskBytes].join('\n');
}

/** A limit that was reached, after which everything inside was ended. */
export interface ReachedLimit {
  kind: 'processes' | 'memory' | 'written' | 'disk' | 'uncounted';
  /** How many processes, or bytes; of what was not counted, none. */
  amount: number;
}

export function describeReached({ kind, amount }: ReachedLimit, limits: SandboxLimits): string {
  const ended = 'and everything was ended';
  const allowed = (bytes: number) => `more than the ${inUnits(bytes)} that are allowed, ${ended}`;
  switch (kind) {
    case 'processes':
      return `${amount} processes were running, and all were ended`;
    case 'memory':
      return `${inUnits(amount)} of memory were in use, ${allowed(limits.memoryBytes)}`;
    case 'written':
      return `${inUnits(amount)} of output and files were written, ${allowed(limits.writtenBytes)}`;
    case 'disk':
      return `files grew by ${inUnits(amount)}, ${allowed(limits.diskBytes)}`;
    case 'uncounted':
      return `something kept us from counting what was in use, ${ended}`;
  }
}

function inUnits(bytes: number): string {
  return bytes >= GB ? `${Number((bytes / GB).toFixed(1))} GB` : `${Math.round(bytes / 1024 ** 2)} MB`;
}
