import { readFileSync } from 'node:fs';
import type { Issue } from './component.js';

/** Reads a JSON file. What is wrong with it is an issue of the plugin, not an error of ours. */
export function readJson(path: string, shown: string): { value?: unknown; issue?: Issue } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { issue: { reason: `there is no ${shown}`, fix: `Write ${shown}, or remove it from the manifest.` } };
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { issue: { reason: `${shown} is not valid JSON: ${why}`, fix: `Correct ${shown}.` } };
  }
}
