import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/stage/src/workspace/free-port.js';
import { onPath } from './optional-program.js';

/** A Postgres of its own, on a private port and in a private folder. */
export interface TestPostgres {
  url: string;
  /** The same with another user, password or database. */
  urlWith(parts: { password?: string; database?: string; port?: number }): string;
  stop(): void;
  start(): void;
  /** Stops it at once, as a crash does, and starts it again. */
  restart(): void;
  remove(): void;
}

const USER = 'understudy';
/** It must never be in any output. */
export const PASSWORD = 'secret-of-the-test-database';

/** Where the programs are: on PATH, or where Debian puts them. */
function programs(): string | undefined {
  const found = onPath('initdb');
  if (found !== undefined) return join(found, '..');
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** Postgres refuses to run as root: then it runs as a user without rights. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = ['postgres', 'nobody']
    .map((name) => new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8')))
    .find((match) => match !== null);
  return line === undefined || line === null ? undefined : { uid: Number(line[1]), gid: Number(line[2]) };
}

/** Starts one; nothing where its programs are missing, and one line says so. */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres | undefined> {
  const bin = programs();
  if (bin === undefined) {
    if (process.env['CI'] === 'true' && process.getuid?.() === 0 && onPath('apt-get') !== undefined)
      throw new Error('initdb is missing, and the queue needs it: apt-get install postgresql');
    console.warn('skipped: the queue on Postgres, because initdb and pg_ctl are not on this machine');
    return undefined;
  }
  const user = otherUser();
  // Not below a folder that the other user may not enter.
  const folder = join(tmpdir(), `pg-${process.pid}-${Math.random().toString(36).slice(2, 8)}`);
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const [data, log, secret] = [join(folder, 'data'), join(folder, 'log'), join(folder, 'password')];
  mkdirSync(data);
  for (const file of [log, secret]) writeFileSync(file, file === secret ? PASSWORD : '');
  if (user !== undefined) for (const path of [folder, data, log, secret]) chownSync(path, user.uid, user.gid);
  const run = (program: string, args: string[]) => {
    const options = {
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
      ...user,
    } as const;
    const { status } = spawnSync(join(bin, program), args, options);
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${readFileSync(log, 'utf8').slice(-2000)}`);
  };
  run('initdb', ['-D', data, '-U', USER, '-A', 'scram-sha-256', `--pwfile=${secret}`, '--no-sync', '-E', 'UTF8']);
  const port = await freePort();
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = ${durable ? 'on' : 'off'}\nmax_connections = 100\n`,
  );
  const control = (...args: string[]) => run('pg_ctl', ['-D', data, '-l', log, '-w', ...args]);
  control('start');
  const urlWith: TestPostgres['urlWith'] = ({ password = PASSWORD, database = 'postgres', port: other = port }) =>
    `postgres://${USER}:${password}@127.0.0.1:${other}/${database}`;
  return {
    url: urlWith({}),
    urlWith,
    stop: () => control('stop', '-m', 'immediate'),
    start: () => control('start'),
    restart: () => control('restart', '-m', 'immediate'),
    remove() {
      try {
        control('stop', '-m', 'immediate');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
