import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { agents } from '../agents.js';
import type { AgentDefinition } from '../define-agent.js';
import pinnedPackages from '../pinned-packages.json' with { type: 'json' };
import { contentDigest, digestFile } from './content.js';
import { lookAtFile, type Manifest, type RecordedFile, readManifest, writeManifest } from './manifest.js';

interface PinnedAgent {
  version: string;
  packages: Record<string, { integrity: string; content: string }>;
}

const pinned: Partial<Record<string, PinnedAgent>> = pinnedPackages;

/**
 * Refuses a version of the store that is not what was fetched, or not what this package pins. Files
 * whose size and time are as before are not read again, so that a start costs next to nothing.
 */
export async function verifyStored(folder: string, command: readonly string[]): Promise<void> {
  const manifest = readManifest(folder);
  if (manifest === undefined) throw unknownFiles(folder);
  refuseOtherThanPinned(folder, manifest);
  const program = relative(folder, command.at(-1) ?? '');
  if (manifest.files[program] === undefined) throw changed(folder, program, manifest);
  const refreshed: Record<string, RecordedFile> = {};
  for (const [path, recorded] of Object.entries(manifest.files)) {
    const file = join(folder, path);
    const seen = lookAtFile(file);
    if (seen?.size !== recorded.size) throw changed(folder, path, manifest);
    if (seen.changed === recorded.changed) continue;
    if ((await digestFile(file)).sha512 !== recorded.sha512) throw changed(folder, path, manifest);
    refreshed[path] = { ...recorded, ...seen };
  }
  if (Object.keys(refreshed).length > 0) remember(folder, { ...manifest, files: { ...manifest.files, ...refreshed } });
}

/** Refuses packages of a pinned version that differ from what this package pins. */
export function refuseOtherThanPinned(folder: string, manifest: Manifest): void {
  for (const [name, integrity] of Object.entries(ownPins(manifest))) {
    const actual = manifest.integrity[`node_modules/${name}`];
    // Packages for other machines are not installed.
    if (actual !== integrity && (actual !== undefined || name === manifest.package))
      throw notAsPinned(manifest, name, integrity, actual, 'its definition');
  }
  const pin = pinned[manifest.agent];
  if (pin?.version !== manifest.version) return;
  for (const [name, { integrity, content }] of Object.entries(pin.packages)) {
    const path = `node_modules/${name}`;
    const files = filesOf(manifest, path);
    // Packages for other machines are not installed.
    if (Object.keys(files).length === 0 && !existsSync(join(folder, path))) continue;
    if (manifest.integrity[path] !== integrity) throw notAsPinned(manifest, name, integrity, manifest.integrity[path]);
    if (contentDigest(files) !== content) throw notAsPinned(manifest, name, content, contentDigest(files));
  }
}

/** The checksums that the definition of a user's agent names, for the version that it names. */
function ownPins({ agent, version }: Manifest): Readonly<Record<string, string>> {
  const { npm }: AgentDefinition = agents[agent];
  return npm?.pinned === version ? (npm.integrity ?? {}) : {};
}

/** The files of one package, by their paths in it. Packages within it have paths of their own. */
function filesOf({ files }: Manifest, path: string): Record<string, RecordedFile> {
  const inside = Object.entries(files).filter(([file]) => file.startsWith(`${path}/`));
  return Object.fromEntries(inside.map(([file, digest]) => [file.slice(path.length + 1), digest]));
}

/** So that the next start is quick again. A store that cannot be written stays slow, and safe. */
function remember(folder: string, manifest: Manifest): void {
  try {
    writeManifest(folder, manifest);
  } catch {
    // Read-only, or full.
  }
}

function changed(folder: string, path: string, { agent, version }: Manifest): UnderstudyError {
  return new UnderstudyError(
    'AGENT_CHANGED',
    `${agent}@${version} in the store was changed after it was fetched: ${join(folder, path)}`,
    { fix: `Run \`understudy agents add ${agent}@${version}\` to fetch it again.` },
  );
}

function unknownFiles(folder: string): UnderstudyError {
  const spec = `${basename(dirname(folder))}@${basename(folder)}`;
  return new UnderstudyError('AGENT_CHANGED', `the store has no record of the files of ${spec}: ${folder}`, {
    fix: `Run \`understudy agents add ${spec}\` to fetch it again.`,
  });
}

function notAsPinned(
  { agent, version }: Manifest,
  name: string,
  expected: string,
  actual = 'nothing',
  pins = 'this release of Understudy',
): UnderstudyError {
  return new UnderstudyError(
    'AGENT_NOT_AS_PINNED',
    `${agent}@${version} is not what ${pins} pins: ${name} has ${actual}, expected ${expected}`,
    {
      fix: `Check \`npm config get registry\`, then run \`understudy agents add ${agent}@${version}\` to fetch it again.`,
    },
  );
}
