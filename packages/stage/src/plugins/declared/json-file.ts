import type { PluginDocument } from '@understudy/agents';
import type { Issue } from './component.js';

/** What is wrong with a JSON file: an issue of the plugin, not an error of ours. */
export function documentIssue({ problem }: PluginDocument, shown: string): Issue | undefined {
  if (problem === undefined) return undefined;
  if (problem === 'folder') {
    const fix = `Write the path of the file in it, and not that of the folder: ./${shown}/NAME.json.`;
    return { reason: `${shown} is a folder, and the CLI reads a JSON file here`, fix };
  }
  if (problem === 'missing')
    return { reason: `there is no ${shown}`, fix: `Write ${shown}, or remove it from the manifest.` };
  return { reason: `${shown} is not valid JSON: ${problem.json}`, fix: `Correct ${shown}.` };
}
