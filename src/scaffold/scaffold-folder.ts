import { resolve } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { isMarketplace, isPlugin, readMarketplace, sourceFolder } from '@understudy/stage';
import type { Skipped } from './part.js';
import { type Scaffolded, type ScaffoldOptions, scaffoldRehearsal } from './scaffold-rehearsal.js';

/** What was written for a folder: one rehearsal, or one for each plugin of a marketplace. */
export interface ScaffoldedFolder {
  rehearsals: Scaffolded[];
  /** Plugins without a rehearsal. */
  skipped: Skipped[];
}

/** Writes a first rehearsal for the plugin in a folder, and for each plugin that its marketplace offers. */
export async function scaffoldFolder(folder: string, options: ScaffoldOptions): Promise<ScaffoldedFolder> {
  const root = resolve(folder);
  if (!isMarketplace(root)) return { rehearsals: [await scaffoldRehearsal(folder, options)], skipped: [] };
  const found: ScaffoldedFolder = { rehearsals: [], skipped: [] };
  if (isPlugin(root)) found.rehearsals.push(await scaffoldRehearsal(folder, options));
  for (const entry of readMarketplace(root).plugins) {
    const source = sourceFolder(root, entry);
    if (source === root && isPlugin(root)) continue;
    const why = source === undefined || source === root ? skipReason(source) : undefined;
    if (why !== undefined || source === undefined)
      found.skipped.push({ name: entry.name, ...(why ?? skipReason(source)) });
    else await addRehearsal(found, source, entry.name, { ...options, into: folder });
  }
  if (found.rehearsals.length > 0) return found;
  const [first] = found.skipped;
  throw new UnderstudyError('SCAFFOLD_NO_PLUGIN', `no plugin of the marketplace in ${root} can be rehearsed here`, {
    fix: first === undefined ? 'Add a plugin to its list.' : `${first.fix} (${first.name}: ${first.reason})`,
  });
}

function skipReason(source: string | undefined): Omit<Skipped, 'name'> {
  if (source === undefined)
    return { reason: 'its source is outside this machine.', fix: 'Run understudy init in its own folder.' };
  return {
    reason: 'what it is stands in the marketplace alone, and a rehearsal loads a folder.',
    fix: 'Give it a folder with a .claude-plugin/plugin.json of its own; understudy plugin judges it as it is.',
  };
}

/** What is wrong with one plugin keeps no rehearsal from the others. */
async function addRehearsal(
  found: ScaffoldedFolder,
  source: string,
  name: string,
  options: ScaffoldOptions,
): Promise<void> {
  try {
    found.rehearsals.push(await scaffoldRehearsal(source, options));
  } catch (error) {
    const isOfPlugin = error instanceof UnderstudyError && /^SCAFFOLD_(?:NO|BROKEN)_PLUGIN$/.test(error.code);
    if (!isOfPlugin) throw error;
    found.skipped.push({ name, reason: `${error.message}.`, fix: error.fix ?? '' });
  }
}
