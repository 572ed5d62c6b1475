import { join } from 'node:path';
import {
  hookDocuments,
  isPluginName,
  kindOf,
  MANIFEST_FILE,
  manifestProblems,
  OTHER_PARTS,
  type PluginDocument,
  pathList,
  refuseHooks,
} from '@understudy/agents';
import { isObject } from '@understudy/kit';
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

/** What plugin.json says; `entry` is what a marketplace says of the plugin, for what the manifest does not say. */
export function manifestOf(document: PluginDocument, entry: unknown = {}): { manifest: Manifest; issue?: Issue } {
  const { text, value, problem } = document;
  const around = manifestSchema.safeParse(entry).data ?? {};
  // Without one the CLI takes the folder's name and the usual places.
  if (text === undefined) return { manifest: around };
  if (typeof problem === 'object') return { manifest: around, issue: brokenManifest(problem.json) };
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return { manifest: { ...around, ...parsed.data } };
  return { manifest: around, issue: brokenManifest('it is not an object with a name') };
}

function brokenManifest(why: string): Issue {
  return {
    reason: `${MANIFEST_FILE} cannot be read: ${why}`,
    fix: `Make ${MANIFEST_FILE} valid JSON with at least a "name".`,
  };
}

/** A plugin whose manifest has no usable name is not loaded. */
export function nameIssues({ text, value }: PluginDocument): Issue[] {
  if (text === undefined || !isObject(value)) return [];
  const { name } = value;
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
export function reservedName({ text, value }: PluginDocument): string[] {
  const name = text !== undefined && isObject(value) ? value['name'] : undefined;
  if (typeof name !== 'string' || !RESERVED.test(name)) return [];
  return [
    `the name ${name} is reserved: the plugin loads, but claude plugin validate and the plugin directory refuse it`,
  ];
}

/** What else keeps the CLI from loading the plugin: a field of another shape, or a hook that may guard something and is wrong. */
export function shapeIssues(root: string, { value: manifest }: PluginDocument): Issue[] {
  if (!isObject(manifest)) return [];
  const fields = manifestProblems(manifest).filter((problem) => !problem.startsWith('name:'));
  const hooks =
    fields.length === 0
      ? refuseHooks(hookDocuments(root, manifest))?.message.replace(/^Failed to load plugin: /, '')
      : undefined;
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
