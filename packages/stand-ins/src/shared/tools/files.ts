import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@understudy/kit';

/** Writes a file. Folders that are missing above it are made. */
export function writeText(path: string, content: string): void {
  makeFolder(dirname(path));
  writeFileSync(path, content);
}

/** How often a text occurs in another. An empty text occurs nowhere. */
export function countOccurrences(content: string, text: string): number {
  return text === '' ? 0 : content.split(text).length - 1;
}

/** Replaces a text, its first occurrence or all. The new text is taken literally, `$&` included. */
export function replaceText(content: string, before: string, after: string, all: boolean): string {
  return all ? content.replaceAll(before, () => after) : content.replace(before, () => after);
}
