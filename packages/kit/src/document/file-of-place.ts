import { existsSync } from 'node:fs';

/** `a.rehearsal.toml:42:1`, as errors print it and people paste it, is the file; so is a file whose name looks like that. */
export function fileOfPlace(path: string): string {
  const [, file] = /^(.+?):\d+(?::\d+)?$/.exec(path) ?? [];
  return file === undefined || existsSync(path) || !existsSync(file) ? path : file;
}
