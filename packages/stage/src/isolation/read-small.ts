import { basename, dirname } from 'node:path';
import { UntrustedFolder } from '@understudy/kit';

const MOST_BYTES = 1_000_000;

/** The beginning of a file that somebody else may have written. Nothing for a link, a pipe, a device, or what is not there. */
export function readSmall(file: string): string | undefined {
  return new UntrustedFolder(dirname(file)).text(basename(file), MOST_BYTES);
}
