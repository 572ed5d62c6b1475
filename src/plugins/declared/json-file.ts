import { readFileSync } from 'node:fs';
import type { Trouble } from './component.js';

/** Reads a JSON file; what is wrong with it is a trouble, not an error of ours. */
export function readJson(path: string, shown: string): { value?: unknown; trouble?: Trouble } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { trouble: { reason: `there is no ${shown}`, fix: `Write ${shown}, or take it out of the manifest.` } };
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { trouble: { reason: `${shown} is not valid JSON: ${why}`, fix: `Correct ${shown}.` } };
  }
}
