import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RECORDS_SOCKET } from '@understudy/agents';
import {
  createTempFolder,
  type Enclosed,
  type Enclosure,
  type Environment,
  type PlainExit,
  readIfThere,
  type Scratch,
  TEMP_FOLDER,
} from '@understudy/kit';
import type { Asker } from '@understudy/model';
import { Askers } from './askers.js';
import {
  decoysIn,
  hiddenFolders,
  holdsHome,
  isWithin,
  ownHomes,
  programFolders,
  realHomes,
  realPath,
} from './folders.js';
import { HostPorts, namedPorts } from './host-ports.js';
import { ISOLATION_VARIABLE } from './level.js';
import { limitLines, type SandboxLimits, sandboxLimits } from './limits.js';
import type { IsolationNeeds } from './provider.js';
import { Records } from './records.js';
import { readReport, type SandboxReport } from './report.js';
import { supervisorScript } from './supervisor.js';
import { systemCallFilter } from './system-call-filter.js';
import { type Attempt, SandboxWatch } from './watch.js';

/** Signals that a terminal or a test sends to the whole group: only the command is to feel them. */
const OUTER = `trap '' INT QUIT TERM HUP USR1 USR2 TSTP
exec 6<&"$1" 3>"$2" 4<"$3" 5>"$4"
shift 4
exec "$@"`;

/** Makes the socket for recorders, outside: who is inside can neither remove it nor put another one in its place. */
const LISTEN = `$^F = 255; my ($path, $gate) = shift @ARGV;
socket $gate, 1, 1, 0 and bind $gate, pack('S a108', 1, $path) and listen $gate, 511 or exit 125;
my $outer = shift @ARGV;
exec '/bin/sh', '-c', $outer, 'sh', fileno $gate, @ARGV`;

const SUPERVISOR = supervisorScript();

/** Bubblewrap: own processes, files, network, messages and host name. Commands of one conversation share it. */
export class Sandbox implements Enclosure {
  /** The folders that hide others. */
  readonly hidden: readonly string[] = hiddenFolders();
  readonly #homes: readonly string[] = realHomes();
  /** The user's home is mostly below one of them. */
  readonly #watched: readonly string[] = [...new Set([...this.hidden, ...ownHomes()])];
  readonly #decoys = ownHomes().flatMap(decoysIn).join('\n');
  readonly #options: IsolationNeeds;
  readonly #folder: Scratch;
  readonly #ports: HostPorts;
  readonly #watches = new Set<SandboxWatch>();
  readonly #attempts: Attempt[] = [];
  readonly #limits: SandboxLimits;
  readonly #askers: Askers;
  /** What recorders told inside. */
  readonly records: Records;
  #started = 0;

  private constructor(options: IsolationNeeds, folder: Scratch, ports: HostPorts, askers: Askers) {
    this.#askers = askers;
    this.records = new Records(askers.roleOf);
    this.#options = options;
    this.#limits = { ...sandboxLimits, ...options.limits };
    this.#folder = folder;
    this.#ports = ports;
  }

  static async open(options: IsolationNeeds): Promise<Sandbox> {
    const folder = createTempFolder();
    mkdirSync(join(folder.path, 'ports'));
    const askers = new Askers(options);
    const ports = new HostPorts(join(folder.path, 'ports'), askers.find);
    for (const port of options.ports) await ports.open(port);
    writeFileSync(join(folder.path, 'filter'), systemCallFilter() ?? '');
    return new Sandbox(options, folder, ports, askers);
  }

  get writable(): string[] {
    return this.#options.writable.flatMap((path) => realPath(path) ?? []);
  }

  enclose(command: readonly string[], { cwd, env }: { cwd: string; env: Environment }): Enclosed {
    const report = join(this.#folder.path, `report-${++this.#started}`);
    this.#askers.expect(report);
    const records = join(this.#folder.path, `records-${this.#started}`);
    mkdirSync(join(records, 'socket'), { recursive: true });
    this.records.expect(join(records, 'told'), report);
    const watch = new SandboxWatch({
      ...{ report, folders: this.#watched, limits: this.#limits },
      isolatedNetwork: this.#options.network !== 'host',
    });
    this.#watches.add(watch);
    return {
      command: [
        ...['perl', '-e', LISTEN, join(records, 'socket', 'socket'), OUTER],
        ...[report, join(this.#folder.path, 'filter'), join(records, 'told')],
        ...this.#bubblewrap(command, cwd, env, join(records, 'socket')),
      ],
      started(pid) {
        watch.outer = pid;
      },
      mainPid: () => watch.pid,
      ending: () => {
        this.#attempts.push(...watch.lookBeforeEnd());
      },
      conclude: (exit) => {
        const told = readReport(readIfThere(report) ?? '');
        this.#attempts.push(...watch.end(told));
        this.#watches.delete(watch);
        return concluded(exit, told);
      },
    };
  }

  /** What was tried since the last look. `input` is the input of a tool that ran in the meantime. */
  look(input = ''): Attempt[] {
    return [
      ...this.#attempts.splice(0),
      ...[...this.#watches].flatMap((watch) => watch.look()),
      ...(this.#options.network === 'host' ? [] : namedPorts(input, this.#ports.numbers)),
    ];
  }

  /** Who is at the other end of a connection from this port of ours. */
  asker(port: number): Asker | undefined {
    return this.#ports.asker(port);
  }

  async close(): Promise<void> {
    this.#ports.close();
    // What was told is read: its files go.
    this.records.keep();
    await this.#folder.remove();
  }

  #bubblewrap(command: readonly string[], cwd: string, env: Environment, records: string): string[] {
    const { hidden } = this;
    const homes = this.#homes;
    const isOwnNetwork = this.#options.network !== 'host';
    return [
      ...['bwrap', '--unshare-all', ...(isOwnNetwork ? [] : ['--share-net'])],
      ...['--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL', '--seccomp', '4'],
      // Whoever starts agents inside is inside already.
      ...['--setenv', ISOLATION_VARIABLE, 'none'],
      // There is no network to wait for: npm would try again for more than a minute.
      ...(isOwnNetwork ? ['--setenv', 'npm_config_fetch_retries', '0'] : []),
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
      // The settings of the kernel are those of the whole machine. Only root may write them; for everybody else, a
      // covered /proc would keep a sandbox inside from having its own.
      ...(process.geteuid?.() === 0 ? ['--ro-bind', '/proc/sys', '/proc/sys'] : []),
      ...['--perms', '1777', '--size', String(this.#limits.temporaryBytes), '--tmpfs', '/dev/shm'],
      ...['--remount-ro', '/dev'],
      ...hidden.flatMap((folder) => [
        ...['--perms', folder.endsWith('tmp') ? '1777' : '0755'],
        ...['--size', String(this.#limits.temporaryBytes), '--tmpfs', folder],
      ]),
      ...this.#binds(hidden, homes, command, env),
      ...['--ro-bind', join(this.#folder.path, 'ports'), '/run/understudy'],
      ...['--ro-bind', records, dirname(RECORDS_SOCKET), '--chdir', cwd],
      ...['perl', '-e', SUPERVISOR, this.#ports.numbers.join('\n'), this.#watched.join('\n')],
      ...[this.#decoys, limitLines(this.#limits), this.#mayGrow(env).join('\n'), ''],
      ...command,
    ];
  }

  /** What may be written, and stays. */
  #mayGrow(env: Environment): string[] {
    const temp = env['TMPDIR'] ?? '';
    return [...this.writable, ...(isTempFolder(temp) ? [temp] : [])];
  }

  /** What is shown of the hidden folders, outer folders first, and what may be written. */
  #binds(hidden: readonly string[], homes: readonly string[], command: readonly string[], env: Environment): string[] {
    const writable = new Set(this.#mayGrow(env));
    const programs = [
      ...programFolders(env['PATH'] ?? '', homes),
      ...programFolders(dirname(process.execPath), homes),
      // Not its arguments: a file that names a program could name a key beside it.
      ...command.slice(0, 1).filter((word) => word.startsWith('/')),
    ].flatMap((path) => realPath(path) ?? []);
    // A program of the project, or of the scratch home: what is around it stays writable.
    const others = programs.filter((path) => ![...writable].some((folder) => isWithin(path, folder)));
    const needed = [...this.#options.readable.flatMap((path) => realPath(path) ?? []), ...others];
    const readable = needed.filter(
      (path) =>
        hidden.some((folder) => isWithin(path, folder)) &&
        !hidden.some((one) => isWithin(one, path)) &&
        !holdsHome(path),
    );
    const mounts = [...new Set([...writable, ...readable])]
      .sort((one, other) => one.length - other.length)
      .flatMap((path) => [writable.has(path) ? '--bind' : '--ro-bind', path, path]);
    const repositories = (this.#options.repositories ?? []).flatMap(({ folder, kept }) => [
      '--bind',
      folder,
      folder,
      ...kept.flatMap((path) => ['--ro-bind', path, path]),
    ]);
    return [...mounts, ...repositories];
  }
}

/** A folder of ours for what a command forgets. */
function isTempFolder(path: string): boolean {
  return path.replace(TEMP_FOLDER, '') === '' && path !== '';
}

function concluded(exit: PlainExit, { ended, leftovers }: SandboxReport): PlainExit & { leftovers?: string[] } {
  // Without its last word it was killed from outside: nobody knows what was left, and all of it is gone.
  return ended === undefined ? exit : { ...ended, leftovers };
}
