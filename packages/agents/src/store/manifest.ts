import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type AgentName, agentNames } from '../agents.js';
import { codeFiles, digestFile } from './content.js';

/** The file that says: this version is whole. It is written before the folder gets its name. */
const MANIFEST = 'understudy.json';

const fileSchema = z.object({
  size: z.number(),
  /** When the file was last written or changed hands, in milliseconds. Nobody can set this time. */
  changed: z.number(),
  sha512: z.string(),
});

export type RecordedFile = z.infer<typeof fileSchema>;

const manifestSchema = z.object({
  agent: z.custom<AgentName>((name) => agentNames.some((known) => known === name)),
  version: z.string(),
  package: z.string(),
  /** What npm checked each package against, by its path. */
  integrity: z.record(z.string(), z.string()),
  /** Every file that can run, as it was after npm's own check, by its path. */
  files: z.record(z.string(), fileSchema),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Whether the folder was put there by us, and is whole. */
export function hasManifest(folder: string): boolean {
  return existsSync(join(folder, MANIFEST));
}

/** Nothing when it is not there, or was written by nobody of us. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Replaces it by one rename: others may read it at the same time. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const temporary = join(folder, `${MANIFEST}.${process.pid}`);
  writeFileSync(temporary, `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(temporary, join(folder, MANIFEST));
}

/** Size and time of a file; nothing when there is no such file, or a link in its place. */
export function lookAtFile(file: string): Pick<RecordedFile, 'size' | 'changed'> | undefined {
  const seen = lstatSync(file, { throwIfNoEntry: false });
  return seen?.isFile() ? { size: seen.size, changed: seen.ctimeMs } : undefined;
}

/** Reads all files that can run. */
export async function recordFiles(folder: string): Promise<Record<string, RecordedFile>> {
  const files: Record<string, RecordedFile> = {};
  for (const path of codeFiles(join(folder, 'node_modules'))) {
    const file = join(folder, 'node_modules', path);
    const seen = lookAtFile(file);
    if (seen !== undefined) files[`node_modules/${path}`] = { ...seen, ...(await digestFile(file)) };
  }
  return files;
}
