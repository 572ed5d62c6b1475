import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const MOST_BYTES = 1_000_000;

/** The text of a file that somebody else may have written. Nothing for a link, a pipe, a device, or what is too large. */
export function readSmall(file: string): string | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(opened);
    return found.isFile() && found.size <= MOST_BYTES ? readFileSync(opened, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
