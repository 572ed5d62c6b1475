import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PERL_TELLS } from '@understudy/agents';
import { runToEnd, scrubbedEnvironment } from '@understudy/kit';
import type { IsolationNeeds } from './provider.js';
import { Sandbox } from './sandbox.js';

/** What a witness must have seen. */
export type Witness = 'files' | 'recorder' | 'kernel' | 'wire';

/** One thing for each witness: a file, a record, a packet that has no way out, a question to the model. */
const CANARY = `use strict;
my ($port, $file, $out, $asking) = @ARGV;
open $file, '>', 'canary' and close $file;
${PERL_TELLS}
tell_of('canary', 'sings');
socket $out, 2, 2, 0 and send $out, 'x', 0, pack('S n C4 x8', 2, 9, 192, 0, 2, 1);
socket $asking, 2, 1, 0 and connect $asking, pack('S n C4 x8', 2, $port, 127, 0, 0, 1) and syswrite $asking, 'x' and sysread $asking, my $answer, 1;
`;

interface Outcome {
  /** How it failed, if it did not start at all. */
  problem?: string;
  /** Witnesses that did not see it. */
  blind: Witness[];
}

/** Starts a sandbox, lets a canary sing in it, and says who did not hear it: what such a witness does not see means nothing. */
export async function listenForCanary(
  cwd: string,
  network: NonNullable<IsolationNeeds['network']> = 'own',
): Promise<Outcome> {
  const askers: (string | undefined)[] = [];
  let sandbox: Sandbox | undefined;
  const model = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      askers.push(sandbox?.asker(socket.remotePort ?? 0)?.role);
      socket.end('x');
    });
  });
  await new Promise<void>((resolve, reject) => model.once('error', reject).listen(0, '127.0.0.1', () => resolve()));
  const { port } = model.address() as AddressInfo;
  try {
    sandbox = await Sandbox.open({ writable: [cwd], readable: [], ports: [port], runsAgent: true, network });
    const command = ['perl', '-e', CANARY, String(port)];
    const env = scrubbedEnvironment();
    const { code, stderr } = await runToEnd({ command, cwd, env, enclosure: sandbox, deadlineMs: 10_000 });
    if (code !== 0) return { problem: stderr.trim().split('\n').at(-1) ?? '', blind: [] };
    const told = sandbox.records.tellers().some(({ role, frames }) => role === 'main' && frames.length > 0);
    const seen: Record<Witness, boolean> = {
      files: existsSync(join(cwd, 'canary')),
      recorder: told,
      kernel: sandbox.look().some(({ kind }) => kind === 'network'),
      wire: askers.includes('main'),
    };
    return { blind: (Object.keys(seen) as Witness[]).filter((witness) => !seen[witness]) };
  } finally {
    await sandbox?.close();
    await new Promise((resolve) => model.close(resolve));
  }
}
