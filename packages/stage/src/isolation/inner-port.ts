import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  createTempFolder,
  type Enclosed,
  type Enclosure,
  type Environment,
  letProcessEnd,
  type Scratch,
} from '@understudy/kit';

/**
 * A port on which a command in an enclosure listens, offered under the same number on this machine. The enclosure has a
 * network of its own, so a process beside the command keeps one connection to a socket of ours waiting, and begins the
 * next one as soon as it is used. We never connect to anything inside: what has a path there can be replaced by a link.
 */
export class InnerPort {
  /** To be readable inside: it has the socket. */
  readonly folder: string;
  readonly #port: number;
  readonly #scratch: Scratch;
  readonly #servers: readonly Server[];
  /** Connections from inside that nobody uses yet, and those from outside that wait for one. */
  readonly #idle: Socket[] = [];
  readonly #waiting: Socket[] = [];
  readonly #open = new Set<Socket>();

  constructor(port: number) {
    this.#port = port;
    this.#scratch = createTempFolder();
    this.folder = this.#scratch.path;
    this.#servers = [this.#accept(this.#idle), this.#accept(this.#waiting)];
  }

  /** Listens on this machine. Who connects before the command listens is turned away. */
  async open(): Promise<void> {
    const [inner, outer] = this.#servers;
    await listening(inner, { path: this.#socket });
    await listening(outer, { port: this.#port, host: '127.0.0.1' });
  }

  /** The enclosure with the port: whatever is started in it may listen there. */
  within(enclosure: Enclosure): Enclosure {
    const enclose = (command: readonly string[], start: { cwd: string; env: Environment }): Enclosed =>
      enclosure.enclose(['perl', '-e', INSIDE, `${this.#port} ${this.#socket}`, ...command], start);
    return { enclose };
  }

  /** Whether the command takes connections. */
  answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const inside = this.#idle.shift();
      if (inside === undefined) return resolve(false);
      return whenTaken(inside, (taken) => {
        inside.destroy();
        resolve(taken);
      });
    });
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#open) socket.destroy();
    await this.#scratch.remove();
  }

  get #socket(): string {
    return join(this.folder, 'port');
  }

  #accept(queue: Socket[]): Server {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        this.#open.delete(socket);
        if (queue.includes(socket)) queue.splice(queue.indexOf(socket), 1);
      });
      queue.push(socket);
      this.#join();
    });
    // It never keeps us alive: whoever opened it closes it.
    return letProcessEnd(server);
  }

  #join(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const [inside, outside] = [this.#idle.shift(), this.#waiting.shift()];
      if (inside === undefined || outside === undefined) return;
      outside.once('close', () => inside.destroy());
      whenTaken(inside, (taken) => {
        if (!taken) return outside.destroy();
        inside.once('close', () => outside.destroy());
        return inside.pipe(outside).pipe(inside);
      });
    }
  }
}

/** Uses a connection from inside, which our first byte says. One byte comes back when the command has taken it. */
function whenTaken(inside: Socket, then: (taken: boolean) => void): void {
  const gone = () => then(false);
  inside.once('end', gone).once('close', gone);
  inside.once('data', (bytes: Buffer) => {
    inside.off('end', gone).off('close', gone).pause();
    if (bytes.length > 1) inside.unshift(bytes.subarray(1));
    then(true);
  });
  inside.write('\n');
}

function listening(
  server: Server | undefined,
  where: { path: string } | { port: number; host: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server?.once('error', reject);
    server?.listen(where, () => resolve());
  });
}

/** Starts the command, and beside it the process that connects. One more for each connection: a few lines do it. */
const INSIDE = String.raw`use strict;
my ($where, @command) = @ARGV;
my ($port, $path) = split / /, $where, 2;
if (!fork) { close STDIN; close STDOUT; close STDERR; serve(); exit 0; }
exec { $command[0] } @command;
print STDERR "$command[0]: $!\n";
exit 127;

sub serve {
  $SIG{CHLD} = $SIG{PIPE} = 'IGNORE';
  while (1) {
    socket my $link, 1, 1, 0 or return;
    connect $link, pack('S a108', 1, $path) or return;
    sysread $link, my $used, 1 or return;
    my $pid = fork;
    if (!defined $pid) { select undef, undef, undef, 0.05; }
    elsif ($pid == 0) { carry($link); exit 0; }
    close $link;
  }
}
sub carry {
  my ($link) = @_;
  socket my $server, 2, 1, 0 or return;
  connect $server, pack('S n C4 x8', 2, $port, 127, 0, 0, 1) or return;
  syswrite $link, "\n" or return;
  my %other = (fileno $link, $server, fileno $server, $link);
  my %open = (fileno $link, $link, fileno $server, $server);
  while (%open) {
    my $ready = '';
    vec($ready, $_, 1) = 1 for keys %open;
    next if select($ready, undef, undef, undef) <= 0;
    for my $number (grep { vec $ready, $_, 1 } keys %open) {
      my $count = sysread $open{$number}, my $bytes, 65536;
      return if !defined $count;
      if ($count == 0) { shutdown $other{$number}, 1; delete $open{$number}; next; }
      for (my $sent = 0; $sent < $count;) { $sent += syswrite($other{$number}, $bytes, $count - $sent, $sent) // return; }
    }
  }
}
`;
