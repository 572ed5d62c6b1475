import { join } from 'node:path';
import { guardProblem } from '../../../claude-code/hooks/problems.js';
import { MANIFEST_FILE, pathList } from '../../../claude-code/plugins/layout.js';
import type { EnabledPlugin } from '../../../claude-code/plugins/load.js';
import { dependenciesOf } from '../../../claude-code/plugins/manifest-problems.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import { NotSupported } from '../cli/arguments.js';
import { isInside } from './marketplaces.js';

/** Refuses what a marketplace says of a plugin where nobody has seen what the CLI makes of it. */
export function checkEntry({ id, root, entry }: EnabledPlugin): void {
  const refuse = (what: string): never => {
    throw new NotSupported(`error: the stand-in does not load ${id}: ${what}`);
  };
  const hasManifest = readIfThere(join(root, MANIFEST_FILE)) !== undefined;
  for (const key of UNSEEN) if (entry[key] !== undefined) refuse(`its marketplace gives it "${key}"`);
  for (const key of ['commands', 'agents', 'skills'])
    for (const path of pathsOf(entry[key]))
      if (!path.startsWith('./') || !isInside(join(root, path), root)) refuse(`"${key}" in its marketplace is ${path}`);
  if (isObject(entry['hooks']) && guardProblem(entry['hooks']) !== undefined)
    refuse('hooks in its marketplace are not as they should be');
  if (Array.isArray(entry['hooks'])) refuse('its marketplace gives it a list of hooks');
  const manifest = hasManifest ? parseJson(readIfThere(join(root, MANIFEST_FILE)) ?? '') : entry;
  if (isObject(manifest) && dependenciesOf(manifest).some(({ version }) => version !== undefined))
    refuse('it needs a plugin in a version');
}

const UNSEEN = ['outputStyles', 'lspServers', 'workflows', 'themes', 'monitors', 'channels', 'settings', 'userConfig'];

/** Paths, also those of commands with a name. */
function pathsOf(value: unknown): string[] {
  if (!isObject(value)) return pathList(value);
  return Object.values(value).flatMap((one) => (isObject(one) ? pathList((one as JsonObject)['source']) : []));
}
