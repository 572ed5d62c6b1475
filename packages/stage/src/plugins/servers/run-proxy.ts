import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { inWords, LineReader } from '@understudy/kit';
import { McpProxy, proxySpecSchema } from './proxy.js';
import { withVariables } from './server-config.js';

/** Runs a proxy on this process's pipes until one of the two sides ends; gives the exit code. */
export async function runProxy(specFile: string): Promise<number> {
  const spec = proxySpecSchema.parse(JSON.parse(readFileSync(specFile, 'utf8')), inWords);
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const { fails, start_delay_ms: startDelay } = spec.faults ?? {};
  if (startDelay !== undefined) await setTimeout(startDelay);
  if (fails !== undefined) {
    if (typeof fails === 'string') process.stderr.write(`${fails}\n`);
    return 1;
  }
  let die = (): void => {};
  const died = new Promise<{ code: number }>((resolve) => {
    die = () => resolve({ code: 1 });
  });
  const proxy = new McpProxy(
    { ...spec, ...(spec.server === undefined ? {} : { server: withVariables(spec.server, env) }) },
    { env, cwd: process.cwd(), write: (line) => process.stdout.write(`${line}\n`), die },
  );
  const behind = await proxy.start();
  const reader = new LineReader((line) => proxy.fromAgent(line));
  process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  const agentLeft = new Promise<void>((resolve) => {
    process.stdin.once('close', () => resolve());
    process.stdin.once('end', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  const first = await Promise.race([agentLeft, died, ...(behind === undefined ? [] : [behind.exited])]);
  // The process of a server that is behind us ends with us: it belongs to our group.
  if (first !== undefined) return first.code ?? 1;
  proxy.close();
  await behind?.exitWithin(2000, 'the agent left');
  return 0;
}
