import { constants } from 'node:os';
import type { PlainExit } from '@understudy/kit';
import type { FileInside } from './file-inside.js';
import type { ReachedLimit } from './limits.js';

/** What the first process of a sandbox reported. */
export interface SandboxReport {
  /** Folders and files that show when they are read or written. */
  watched: FileInside[];
  /** What only the forwarder of this sandbox knows besides. */
  token?: string;
  /** The command's own process, by its id inside. */
  child?: number;
  /** The forwarder ended before everything else: who asked since then was not seen. */
  blind: boolean;
  /** It came so far that it started the command. */
  ready: boolean;
  /** Absent: it was killed before it could report it. */
  ended?: PlainExit;
  leftovers: string[];
  /** Watched paths with the times of their last reading and writing, in seconds. */
  touched: { path: string; read: number; written: number }[];
  /** Packets that had no way out. */
  noRoutes: number;
  /** A limit that was reached, so that all processes were ended. */
  reached?: ReachedLimit;
  /** Folders that had no more space. */
  full: string[];
}

export function readReport(text: string): SandboxReport {
  const report: SandboxReport = {
    watched: [],
    ready: false,
    blind: false,
    leftovers: [],
    touched: [],
    noRoutes: 0,
    full: [],
  };
  for (const line of text.split('\n')) {
    const [kind, ...fields] = line.split('\0');
    const [first = '', second = '', third = ''] = fields;
    if (kind === 'watched') report.watched.push({ path: first, device: Number(second), inode: Number(third) });
    if (kind === 'ready') report.ready = true;
    if (kind === 'token' && first !== '') report.token = first;
    if (kind === 'child') report.child = Number(first);
    if (kind === 'blind') report.blind = true;
    if (kind === 'left') report.leftovers.push(first);
    if (kind === 'touched') report.touched.push({ path: first, read: Number(second), written: Number(third) });
    if (kind === 'routes') report.noRoutes = Number(first);
    if (kind === 'limit') report.reached = { kind: first as ReachedLimit['kind'], amount: Number(second) };
    if (kind === 'full') report.full.push(first);
    if (kind === 'ended') report.ended = endOf(Number(first), Number(second));
  }
  return report;
}

function endOf(signal: number, code: number): PlainExit {
  if (signal === 0) return { code, signal: null };
  const [name] = Object.entries(constants.signals).find(([, number]) => number === signal) ?? [];
  return { code: null, signal: (name ?? 'SIGKILL') as NodeJS.Signals };
}
