import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder, redactor, UnderstudyError, UntrustedFolder } from '@understudy/kit';
import * as z from 'zod/mini';

const ArtifactKind = z.enum(['logs', 'conversation', 'screens', 'diffs', 'session-state']);
export type ArtifactKind = z.infer<typeof ArtifactKind>;

/** Something worth keeping: a text that we hold, or a file or folder to copy. */
export type Artifact = { kind: ArtifactKind; name: string } & ({ content: string | Buffer } | { from: string });

/** What is in an artifacts folder, and what should have been there and was not. */
export const ArtifactIndex = z.strictObject({
  name: z.string(),
  capturedAt: z.string(),
  files: z.array(z.strictObject({ kind: ArtifactKind, path: z.string(), bytes: z.number(), sha256: z.string() })),
  missing: z.array(z.strictObject({ kind: ArtifactKind, name: z.string(), from: z.string() })),
});
export type ArtifactIndex = z.infer<typeof ArtifactIndex>;

export interface CaptureOptions {
  /** Below this folder the run gets a folder of its own. */
  root: string;
  /** The name of the test or run; it becomes a folder name. */
  name: string;
  artifacts: readonly Artifact[];
  now?: Date;
}

/** A name for a folder out of any title. */
export function folderName(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const short = plain.slice(0, 60);
  // Titles that differ only in what was taken away must not share a folder.
  return `${short || 'run'}-${createHash('sha256').update(title).digest('hex').slice(0, 6)}`;
}

/** Copies artifacts into `<root>/<name>/<kind>/` and writes their index.json; links are not followed. */
export function captureArtifacts({ root, name, artifacts, now = new Date() }: CaptureOptions): {
  folder: string;
  index: ArtifactIndex;
} {
  const folder = join(root, folderName(name));
  const index: ArtifactIndex = { name, capturedAt: now.toISOString(), files: [], missing: [] };
  const taken = new Set<string>();
  const redact = redactor(process.env);
  const clean = (content: string | Buffer) => (typeof content === 'string' ? redact(content) : content);
  for (const artifact of artifacts) {
    const path = `${artifact.kind}/${plainName(artifact.name)}`;
    if (taken.has(path)) {
      throw new UnderstudyError('WORKSPACE_ARTIFACT_TWICE', `two artifacts want to be ${path}`, {
        fix: 'Give each artifact of a kind a name of its own.',
      });
    }
    taken.add(path);
    if ('from' in artifact && !existsSync(artifact.from)) {
      index.missing.push({ kind: artifact.kind, name: artifact.name, from: artifact.from });
      continue;
    }
    const target = join(folder, path);
    makeFolder(join(folder, artifact.kind));
    const content = 'from' in artifact ? logText(artifact.from) : artifact.content;
    if (content !== undefined) writeFileSync(target, clean(content), { mode: 0o600 });
    else if ('from' in artifact) cpSync(artifact.from, target, { recursive: true, filter: isPlain });
    index.files.push(...describe(artifact.kind, folder, path));
  }
  makeFolder(folder);
  writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`, { mode: 0o600 });
  return { folder, index };
}

/** A log may quote what somebody else said; the files of a project are kept as they are. */
function logText(file: string): string | undefined {
  return /\.(?:jsonl|log)$/.test(file)
    ? new UntrustedFolder(dirname(file)).text(basename(file), LONGEST_LOG)
    : undefined;
}

const LONGEST_LOG = 512 * 1024 ** 2;

function plainName(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && basename(name) === name && !/[\\\0]/.test(name)) return name;
  throw new UnderstudyError('WORKSPACE_ARTIFACT_NAME', `${JSON.stringify(name)} cannot be the name of an artifact`, {
    fix: 'Give a plain file name, such as "events.jsonl".',
  });
}

/** Files and folders; a link could pull anything of this machine into a report, a pipe would block. */
function isPlain(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isFile() || stats.isDirectory();
}

function describe(kind: ArtifactKind, folder: string, path: string): ArtifactIndex['files'] {
  const absolute = join(folder, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isDirectory()) {
    return readdirSync(absolute)
      .sort()
      .flatMap((name) => describe(kind, folder, `${path}/${name}`));
  }
  const content = readFileSync(absolute);
  return [{ kind, path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }];
}
