import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_FOLDER } from '@understudy/runner';
import { serveLines } from '../line-protocol/serve.js';
import { EXIT_INTERRUPTED } from './main.js';
import { receiveSignal } from './receive-signal.js';
import { version } from './version.js';

/** Answers requests on stdin until it ends; gives the exit code. */
export async function servePipe(): Promise<number> {
  let interrupted = false;
  const stop = receiveSignal().then((name) => {
    interrupted = name === 'SIGINT';
  });
  await serveLines({
    ...{ input: process.stdin, output: process.stdout, stop, version },
    roots: [process.cwd(), tmpdir()],
    artifacts: join(RUN_FOLDER, 'artifacts'),
  });
  process.stdin.destroy();
  return interrupted ? EXIT_INTERRUPTED : 0;
}
