import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What a file must be. */
export interface FileDigest {
  size: number;
  sha512: string;
}

/** Programs have no dot in their names, or one of these endings; the rest (texts, sources, maps) does not run. */
const CODE = /^[^.]+$|\.(?:exe|[cm]?js|json|node|wasm|dylib)$|\.so(?:\.\d+)*$/;

/** The files below a folder that are started, or loaded by what is started; paths with slashes, in a fixed order. */
export function codeFiles(folder: string, prefix = ''): string[] {
  const entries = readdirSync(join(folder, prefix), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) return codeFiles(folder, path);
      return entry.isFile() && CODE.test(entry.name) ? [path] : [];
    })
    .sort();
}

/** Reads a file to its end. */
export async function digestFile(file: string): Promise<FileDigest> {
  const hash = createHash('sha512');
  let size = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha512: hash.digest('base64') };
}

/** One digest for all files of a package, by their paths in it. */
export function contentDigest(files: Readonly<Record<string, FileDigest>>): string {
  const hash = createHash('sha512');
  for (const path of Object.keys(files).sort()) hash.update(`${path} ${files[path]?.size} ${files[path]?.sha512}\n`);
  return `sha512-${hash.digest('base64')}`;
}
