import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Trouble } from './component.js';

const paths = z.union([z.string(), z.array(z.string())]);
const record = z.record(z.string(), z.unknown());

/** The parts of plugin.json that name components. A part of another shape is left to the CLI to judge. */
const manifestSchema = z.looseObject({
  name: z.string().optional(),
  commands: z.union([paths, record]).optional().catch(undefined),
  agents: paths.optional().catch(undefined),
  skills: paths.optional().catch(undefined),
  hooks: z
    .union([paths, record, z.array(z.union([z.string(), record]))])
    .optional()
    .catch(undefined),
  mcpServers: z.union([paths, record]).optional().catch(undefined),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const MANIFEST = join('.claude-plugin', 'plugin.json');

/** Parts of a manifest that the CLI loads and that we do not look at. */
const OTHER_PARTS = ['outputStyles', 'lspServers', 'monitors', 'themes', 'channels', 'workflows'] as const;

/** Reads plugin.json; `entry` is what a marketplace says of the plugin, which holds where the manifest is silent. */
export function readManifest(root: string, entry: unknown = {}): { manifest: Manifest; trouble?: Trouble } {
  const around = manifestSchema.safeParse(entry).data ?? {};
  let text: string;
  try {
    text = readFileSync(join(root, MANIFEST), 'utf8');
  } catch {
    // Without one the CLI takes the folder's name and the default places.
    return { manifest: around };
  }
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { manifest: { ...around, ...parsed.data } };
    return { manifest: around, trouble: brokenManifest('it is not an object with a name') };
  } catch (error) {
    return { manifest: around, trouble: brokenManifest(error instanceof Error ? error.message : String(error)) };
  }
}

function brokenManifest(why: string): Trouble {
  return { reason: `${MANIFEST} cannot be read: ${why}`, fix: `Make ${MANIFEST} valid JSON with at least a "name".` };
}

export function otherParts(manifest: Manifest): string[] {
  return OTHER_PARTS.filter((part) => manifest[part] !== undefined);
}

/** A path or paths as a list. */
export function pathList(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
