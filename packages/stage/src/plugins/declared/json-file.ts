import { readFileSync } from 'node:fs';
import type { Issue } from './component.js';

/** Reads a JSON file. What is wrong with it is an issue of the plugin, not an error of ours. */
export function readJson(path: string, shown: string): { value?: unknown; issue?: Issue } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isFolder(error)) {
      const fix = `Write the path of the file in it, and not that of the folder: ./${shown}/NAME.json.`;
      return { issue: { reason: `${shown} is a folder, and the CLI reads a JSON file here`, fix } };
    }
    return { issue: { reason: `there is no ${shown}`, fix: `Write ${shown}, or remove it from the manifest.` } };
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { issue: { reason: `${shown} is not valid JSON: ${why}`, fix: `Correct ${shown}.` } };
  }
}

function isFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EISDIR';
}
