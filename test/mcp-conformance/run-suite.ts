import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { type Outcome, runToEnd } from '../../packages/kit/src/process/run-to-end.js';

const folder = fileURLToPath(new URL('./', import.meta.url));
const program = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

/** Installs the suite when it is not there; tells why that was not possible. Under CI=true it must be. */
export function installSuite(): string | undefined {
  if (existsSync(program)) return undefined;
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const line = stderr.split('\n').find((text) => text.includes('npm error')) ?? 'npm ci failed';
  if (process.env['CI'] === 'true') throw new Error(`the conformance suite could not be installed: ${line}`);
  return `skipped: the conformance suite could not be installed: ${line}`;
}

/** Runs the suite against a server; its exit code is 0 when exactly the expected failures came. */
export function runSuite(args: readonly string[], results: string): Promise<Outcome> {
  return runToEnd({
    command: [
      ...[process.execPath, '--import', join(folder, 'node-20.mjs'), program, 'server', ...args],
      ...['--expected-failures', join(folder, 'expected-failures.yaml'), '-o', results],
    ],
    cwd: folder,
    env: scrubbedEnvironment({ NO_COLOR: '1' }),
    deadlineMs: 150_000,
  });
}
