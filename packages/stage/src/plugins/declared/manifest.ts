import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  isPluginName,
  kindOf,
  MANIFEST_FILE,
  manifestProblems,
  OTHER_PARTS,
  pathList,
  refuseHooks,
} from '@understudy/agents';
import { isObject, parseJson, readIfThere } from '@understudy/kit';
import * as z from 'zod/mini';
import type { Issue } from './component.js';

const paths = z.union([z.string(), z.array(z.string())]);
const record = z.record(z.string(), z.unknown());

/** The parts of plugin.json that name components. A part of another shape is left to the CLI to judge. */
const manifestSchema = z.looseObject({
  name: z.optional(z.string()),
  commands: z.catch(z.optional(z.union([paths, record])), undefined),
  agents: z.catch(z.optional(paths), undefined),
  skills: z.catch(z.optional(paths), undefined),
  hooks: z.catch(z.optional(z.union([paths, record, z.array(z.union([z.string(), record]))])), undefined),
  mcpServers: z.catch(z.optional(z.union([paths, record])), undefined),
  workflows: z.catch(z.optional(paths), undefined),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Reads plugin.json; `entry` is what a marketplace says of the plugin, for what the manifest does not say. */
export function readManifest(root: string, entry: unknown = {}): { manifest: Manifest; issue?: Issue } {
  const around = manifestSchema.safeParse(entry).data ?? {};
  let text: string;
  try {
    text = readFileSync(join(root, MANIFEST_FILE), 'utf8');
  } catch {
    // Without one the CLI takes the folder's name and the usual places.
    return { manifest: around };
  }
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { manifest: { ...around, ...parsed.data } };
    return { manifest: around, issue: brokenManifest('it is not an object with a name') };
  } catch (error) {
    return { manifest: around, issue: brokenManifest(error instanceof Error ? error.message : String(error)) };
  }
}

function brokenManifest(why: string): Issue {
  return {
    reason: `${MANIFEST_FILE} cannot be read: ${why}`,
    fix: `Make ${MANIFEST_FILE} valid JSON with at least a "name".`,
  };
}

/** A plugin whose manifest has no usable name is not loaded. */
export function nameIssues(root: string): Issue[] {
  const manifest = parseJson(readIfThere(join(root, MANIFEST_FILE)) ?? '');
  if (!isObject(manifest)) return [];
  const { name } = manifest;
  if (typeof name === 'string' && name !== '' && isPluginName(name)) return [];
  return [
    {
      reason: `${MANIFEST_FILE} has no "name" that the CLI takes (text without spaces, slashes, "@" or ":"), so the CLI does not load the plugin`,
      fix: `Add "name" to ${MANIFEST_FILE}.`,
    },
  ];
}

const RESERVED =
  /^(?:claude|anthropics?|cc-plugin)[-_]|^(?:claude|anthropics?)$|official[-_]?(?:claude|anthropic)|(?:claude|anthropic)[-_]?official/i;

/** A name that passes as one of the maker of the CLI: such a plugin loads, and cannot be handed in. */
export function reservedName(root: string): string[] {
  const manifest = parseJson(readIfThere(join(root, MANIFEST_FILE)) ?? '');
  const name = isObject(manifest) ? manifest['name'] : undefined;
  if (typeof name !== 'string' || !RESERVED.test(name)) return [];
  return [
    `the name ${name} is reserved: the plugin loads, but claude plugin validate and the plugin directory refuse it`,
  ];
}

/** What else keeps the CLI from loading the plugin: a field of another shape, or a hook that may guard something and is wrong. */
export function shapeIssues(root: string): Issue[] {
  const text = readIfThere(join(root, MANIFEST_FILE));
  const manifest = text === undefined ? { name: basename(root) } : parseJson(text);
  if (!isObject(manifest)) return [];
  const fields = manifestProblems(manifest).filter((problem) => !problem.startsWith('name:'));
  const hooks =
    fields.length === 0 ? refuseHooks(root, manifest)?.message.replace(/^Failed to load plugin: /, '') : undefined;
  return [
    ...fields.map((problem) => ({
      reason: `${MANIFEST_FILE} has a field that the CLI refuses, so it does not load the plugin: ${problem}`,
      fix: `Correct "${problem.split(/[.:]/)[0]}" in ${MANIFEST_FILE}.`,
    })),
    ...(hooks === undefined
      ? []
      : [{ reason: `the CLI does not load the plugin: ${hooks}`, fix: 'Correct that hook, or remove it.' }]),
  ];
}

/** Paths in the manifest that lead nowhere. */
export function missingPaths(root: string, manifest: Manifest): Issue[] {
  const keys = ['commands', 'agents', 'skills', 'hooks', 'mcpServers', 'workflows', 'outputStyles', 'themes'];
  return keys.flatMap((key) =>
    pathList(manifest[key])
      .filter((path) => !/^[a-z]+:\/\//.test(path) && kindOf(join(root, path)) === undefined)
      .map((path) => ({
        reason: `"${key}" in ${MANIFEST_FILE} names ${path}, which does not exist`,
        fix: 'Write that file, or remove it from the manifest.',
      })),
  );
}

/** The parts that the plugin has and that are not compared. */
export function otherParts(root: string, manifest: Manifest): string[] {
  const experimental = isObject(manifest['experimental']) ? manifest['experimental'] : {};
  return OTHER_PARTS.flatMap(({ name, key, places }) => {
    const inManifest = key !== undefined && (manifest[key] ?? experimental[key]) !== undefined;
    const there = places.find((place) => kindOf(join(root, place)) !== undefined);
    if (there === undefined && !inManifest) return [];
    return [inManifest ? `${name} ("${key}" in ${MANIFEST_FILE})` : `${name} (${there})`];
  });
}
