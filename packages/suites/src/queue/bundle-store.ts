import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { type Bundle, placeFile, placeLink } from '@understudy/runner';
import type { Database } from './database.js';

/** So many bytes are sent or asked for at a time. */
const CHUNK_BYTES = 8 * 1024 * 1024;

/** Stores what the database does not have yet. */
export async function storeBundle(database: Database, { hash, bytes, files }: Bundle): Promise<void> {
  const known = await database.query('SELECT 1 FROM understudy.bundles WHERE hash = $1', [hash]);
  if (known.length > 0) return;
  const sources = new Map(
    files.flatMap((file) => (file.source === undefined ? [] : [[file.hash, file.source] as const])),
  );
  const stored = await database.query<{ hash: string }>('SELECT hash FROM understudy.blobs WHERE hash = ANY($1)', [
    [...sources.keys()],
  ]);
  for (const { hash: there } of stored) sources.delete(there);
  for (const [blob, source] of sources) {
    const content = readFileSync(source);
    if (createHash('sha256').update(content).digest('hex') !== blob) {
      throw new UnderstudyError('BUNDLE_PATH_REFUSED', `${source} changed while it was read`, { fix: 'Try it again.' });
    }
    await database.query('INSERT INTO understudy.blobs (hash, content) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      blob,
      content,
    ]);
  }
  await database.transaction(async (sql) => {
    const added = await sql.query(
      'INSERT INTO understudy.bundles (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hash',
      [hash, bytes],
    );
    if (added.length === 0) return;
    await sql.query(
      `INSERT INTO understudy.bundle_files (bundle, path, kind, hash, executable, target)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[])`,
      [
        hash,
        files.map(({ path }) => path),
        files.map(({ kind }) => kind),
        files.map((file) => file.hash ?? null),
        files.map(({ executable = false }) => executable),
        files.map(({ target }) => target ?? null),
      ],
    );
  });
}

interface StoredFile {
  path: string;
  kind: 'file' | 'link' | 'folder';
  hash: string | null;
  executable: boolean;
  target: string | null;
  size: number;
}

/** Writes a bundle into an empty folder. */
export async function unpackBundle(database: Database, hash: string, folder: string): Promise<void> {
  const files = await database.query<StoredFile>(
    `SELECT path, kind, hash, executable, target, coalesce(length(content), 0) AS size
     FROM understudy.bundle_files LEFT JOIN understudy.blobs USING (hash) WHERE bundle = $1 ORDER BY path`,
    [hash],
  );
  for (const { path, kind } of files) if (kind === 'folder') mkdirSync(join(folder, path), { recursive: true });
  for (const chunk of inChunks(files.filter(({ kind }) => kind === 'file'))) {
    const blobs = await database.query<{ hash: string; content: Buffer }>(
      'SELECT hash, content FROM understudy.blobs WHERE hash = ANY($1)',
      [chunk.map((file) => file.hash)],
    );
    const contents = new Map(blobs.map((blob) => [blob.hash, blob.content]));
    for (const { path, hash: blob, executable } of chunk) {
      placeFile(folder, { path, kind: 'file', executable }, contents.get(blob ?? '') ?? '');
    }
  }
  for (const { path, kind, target } of files) {
    if (kind === 'link' && target !== null) placeLink(folder, { path, kind, target });
  }
}

function* inChunks(files: readonly StoredFile[]): Generator<StoredFile[]> {
  let chunk: StoredFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (bytes + file.size > CHUNK_BYTES && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(file);
    bytes += file.size;
  }
  if (chunk.length > 0) yield chunk;
}

/** Removes bundles that no run has, and what was in them. */
export async function sweepBundles(database: Database): Promise<void> {
  await database.query(
    `DELETE FROM understudy.bundles b WHERE created_at < now() - interval '1 hour'
     AND NOT EXISTS (SELECT 1 FROM understudy.runs WHERE bundle = b.hash)`,
  );
  await database.query(
    `DELETE FROM understudy.blobs b WHERE created_at < now() - interval '1 hour'
     AND NOT EXISTS (SELECT 1 FROM understudy.bundle_files WHERE hash = b.hash)`,
  );
}
