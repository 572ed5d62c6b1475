import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isObject, type JsonObject, shorten } from '@understudy/kit';
import { guardProblem, WHY_GUARDED } from '../hooks/problems.js';
import { jsonComplaint } from '../json-complaint.js';
import { kindOfValue } from '../shapes.js';
import type { PluginDocument } from './documents.js';
import { pathList } from './layout.js';
import { isPluginName, manifestProblems } from './manifest-problems.js';

/** Why the CLI does not load a plugin. */
export interface PluginRefusal {
  message: string;
  /** Other than that of most. */
  type?: string;
}

/** Why the CLI does not load a plugin with this manifest. */
export function refuseManifest(
  { value: manifest, text = '', file }: PluginDocument,
  folder: string,
): PluginRefusal | undefined {
  const failed = (what: string) => ({
    message: `Failed to load plugin: ${shorten(`Plugin ${folder} has ${what}`, LONGEST)}`,
  });
  if (manifest === undefined)
    return failed(`a corrupt manifest file at ${file}. JSON parse error: ${jsonComplaint(text)}`);
  const wrong = isObject(manifest) ? manifestProblems(manifest) : ['manifest must be an object'];
  if (wrong.length > 0) return failed(`an invalid manifest file at ${file}. Validation errors: ${wrong.join(', ')}`);
  const { name } = manifest as { name: string };
  if (isPluginName(name)) return undefined;
  const why =
    'is not a valid plugin name (must be non-empty and must not contain "@", ":", whitespace, path separators, or ' +
    'invisible/control characters)';
  return {
    type: 'manifest-validation-error',
    message: `Manifest validation failed: name: ${inSlantedQuotes(`"${name}" ${why}`)} (in ${file})`,
  };
}

/** The CLI says no more than this of a manifest. */
const LONGEST = 500;

/** A hook that may guard something, and cannot be loaded, keeps the CLI from loading its plugin. */
export function refuseHooks(documents: readonly PluginDocument[]): PluginRefusal | undefined {
  for (const { file, value } of documents) {
    if (file === undefined || !isObject(value)) continue;
    const guard = misplacedGuard(value) ?? guardOf(value['hooks']);
    if (guard !== undefined) return { message: `Failed to load plugin: ${guard}` };
  }
  return undefined;
}

function misplacedGuard(document: JsonObject): string | undefined {
  const { hooks, PreToolUse = [], PermissionRequest = [] } = document;
  const isThere = [hooks, PreToolUse, PermissionRequest].some((value) => Array.isArray(value) && value.length > 0);
  return isThere
    ? `hooks.json declares PreToolUse/PermissionRequest at its top level, outside the "hooks" object — ${WHY_GUARDED}`
    : undefined;
}

function guardOf(hooks: unknown): string | undefined {
  if (hooks === undefined || hooks === null || isObject(hooks)) return guardProblem(hooks);
  return `hooks: must be an object mapping event names to matcher arrays — ${WHY_GUARDED}`;
}

/** Paths in the manifest that lead nowhere, or out of the plugin. */
export function pathProblems(root: string, manifest: JsonObject): { type: string; message: string }[] {
  return PATH_KEYS.flatMap(([key, part]) =>
    pathList(manifest[key]).flatMap((path) => {
      const full = join(root, path);
      if (relative(root, full).startsWith('..'))
        return [{ type: 'path-traversal', message: `Path escapes plugin directory: ${path} (${part})` }];
      return existsSync(full) ? [] : [{ type: 'path-not-found', message: `Path not found: ${full} (${part})` }];
    }),
  );
}

const PATH_KEYS = [
  ...['commands', 'agents', 'skills', 'workflows', 'themes', 'hooks'].map((key) => [key, key] as const),
  ['outputStyles', 'output-styles'] as const,
];

/** What the CLI says of a file of hooks whose hooks it does not come to. */
export function documentProblem(document: unknown): string | undefined {
  const otherKind = (expected: string, path: string[], value: unknown) => ({
    expected,
    code: 'invalid_type',
    path,
    message: `Invalid input: expected ${expected}, received ${kindOfValue(value)}`,
  });
  const said = (issue: object): string => JSON.stringify([issue], null, 1).replace(/\s+/g, ' ');
  if (!isObject(document)) return said(otherKind('object', [], document));
  const { hooks, modules, description } = document;
  if (description !== undefined && typeof description !== 'string')
    return said(otherKind('string', ['description'], description));
  if (hooks === undefined && modules === undefined)
    return said({
      code: 'custom',
      path: [],
      message: "hooks.json must have 'hooks' (the hook matchers) or 'modules' (hooks modules), or both",
    });
  return hooks === undefined || isObject(hooks) ? undefined : said(otherKind('record', ['hooks'], hooks));
}

/** The CLI writes quotes of others so. */
export function inSlantedQuotes(text: string): string {
  return text.replaceAll('"', '”').replaceAll("'", '’');
}
