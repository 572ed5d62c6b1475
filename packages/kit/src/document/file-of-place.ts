import { existsSync } from 'node:fs';

/** `a.rehearsal.toml:42:1`, as errors print it and people paste it, is a file and a line; so is a file whose name looks like that. */
export function placeIn(path: string): { file: string; line?: number } {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(path) ?? [];
  return file === undefined || existsSync(path) || !existsSync(file) ? { file: path } : { file, line: Number(line) };
}

/** The file alone. */
export function fileOfPlace(path: string): string {
  return placeIn(path).file;
}
