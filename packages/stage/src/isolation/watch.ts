import { existsSync, readFileSync } from 'node:fs';
import { type FileInside, lookInside, UNTOUCHED } from './file-inside.js';
import { mainProcessOf } from './inner-process.js';
import { describeReached, type ReachedLimit, type SandboxLimits } from './limits.js';
import { readReport, type SandboxReport } from './report.js';

/** Something that was tried and that the sandbox did not allow. */
export interface Attempt {
  /** `list`: the names in a folder were read. `unwatched`: nobody knows what was tried. */
  kind: 'network' | 'list' | 'read' | 'write' | 'unwatched' | ReachedLimit['kind'];
  text: string;
}

interface WatchOptions {
  /** The file in which the supervisor reports. */
  report: string;
  isolatedNetwork: boolean;
  /** Those of what is watched that are folders. */
  folders: readonly string[];
  limits: SandboxLimits;
}

/** Finds out what a running command tried: by counters and times that the kernel keeps, not by what anybody says. */
export class SandboxWatch {
  /** The process that was started. */
  outer: number | undefined;
  readonly #options: WatchOptions;
  readonly #touched = new Map<string, { read: number; written: number }>();
  #watched: readonly FileInside[] | undefined;
  #pid: number | undefined;
  #noRoutes = 0;
  #isEndedByUs = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** The command's own process, once it is there. */
  get pid(): number | undefined {
    if (this.outer !== undefined) this.#pid ??= mainProcessOf(this.outer);
    return this.#pid;
  }

  /** What is new since the last look. */
  look(): Attempt[] {
    const { pid } = this;
    if (pid === undefined) return [];
    return [
      ...this.#network(routesOf(pid)),
      ...this.#files().flatMap((file) => {
        const seen = lookInside(pid, file);
        if (seen === undefined) return [];
        const attempts = this.#touch({ path: file.path, ...seen.times });
        if (seen.isRearmed) this.#touched.delete(file.path);
        return attempts;
      }),
    ];
  }

  /** The last look before we end it ourselves. */
  lookBeforeEnd(): Attempt[] {
    this.#isEndedByUs = true;
    return this.look();
  }

  /** What the supervisor reported at the end. */
  end({ ready, ended, noRoutes, touched, reached, full }: SandboxReport): Attempt[] {
    const { limits } = this.#options;
    return [
      ...(ended === undefined && !this.#isEndedByUs ? [unwatched(ready)] : []),
      ...this.#network(noRoutes),
      ...touched.flatMap((one) => this.#touch(one)),
      ...full.map((path): Attempt => ({ kind: 'write', text: `${path} was full` })),
      ...(reached === undefined ? [] : [{ kind: reached.kind, text: describeReached(reached, limits) }]),
    ];
  }

  #files(): readonly FileInside[] {
    if (this.#watched === undefined && existsSync(this.#options.report)) {
      const { ready, watched } = readReport(readFileSync(this.#options.report, 'utf8'));
      if (ready) this.#watched = watched;
    }
    return this.#watched ?? [];
  }

  #network(count: number | undefined): Attempt[] {
    if (!this.#options.isolatedNetwork || count === undefined || count <= this.#noRoutes) return [];
    const tried = count - this.#noRoutes;
    this.#noRoutes = count;
    return [
      { kind: 'network', text: `${tried} ${tried === 1 ? 'packet' : 'packets'} to another machine had no way out` },
    ];
  }

  /** `/tmp`, `/var/tmp` and `/run` are everybody's: only homes and what is in them is private. */
  #touch({ path, read, written }: { path: string; read: number; written: number }): Attempt[] {
    const before = this.#touched.get(path) ?? { read: UNTOUCHED, written: UNTOUCHED };
    this.#touched.set(path, { read, written });
    if (/^\/(tmp|run|var\/tmp)$/.test(path)) return [];
    if (written === 0) return before.written === 0 ? [] : [{ kind: 'write', text: `${path} was removed` }];
    const isFolder = this.#options.folders.includes(path);
    return [
      ...(written === before.written ? [] : [{ kind: 'write' as const, text: `${path} was written to` }]),
      ...(read === before.read
        ? []
        : [
            isFolder
              ? { kind: 'list' as const, text: `${path} was listed` }
              : { kind: 'read' as const, text: `${path} was read` },
          ]),
    ];
  }
}

function unwatched(hasStarted: boolean): Attempt {
  const text = hasStarted
    ? 'the sandbox of the command was ended from outside, so what was tried is not known'
    : 'the sandbox of the command did not start, so nothing was watched';
  return { kind: 'unwatched', text };
}

function routesOf(pid: number): number | undefined {
  try {
    const [names = '', values = ''] = readFileSync(`/proc/${pid}/net/snmp`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('Ip:'));
    const four = Number(values.split(' ')[names.split(' ').indexOf('OutNoRoutes')] ?? 0);
    const six = /^Ip6OutNoRoutes\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/net/snmp6`, 'utf8'))?.[1] ?? 0;
    return four + Number(six);
  } catch {
    return undefined;
  }
}
