import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readDocument } from '@understudy/agents';
import { lazyRequire } from '@understudy/kit';
import type * as Yaml from 'yaml';
import * as z from 'zod/mini';

/** A case of `claude plugin eval`. */
export interface EvalCase {
  /** The folder of its plugin. */
  plugin: string;
  name: string;
  folder: string;
  /** The file that says what to ask. */
  file: string;
}

const MANIFESTS = [join('.claude-plugin', 'plugin.json'), 'plugin.json'];
const manifestSchema = z.object({
  experimental: z.optional(z.object({ evals: z.optional(z.string()) })),
});
const caseSchema = z.object({ name: z.string() });
/** Folders beside the cases. */
const NO_CASES = new Set(['results', 'mocks', 'graders']);

/** The eval cases of the plugins in these folders, by the rules of the pinned Claude Code. */
export function findEvals(paths: readonly string[]): EvalCase[] {
  return paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true).flatMap(evalsBelow);
}

function evalsBelow(folder: string): EvalCase[] {
  const evals = evalFolderOf(folder);
  return [
    ...(evals === undefined ? [] : casesBelow(join(folder, evals), folder)),
    ...foldersIn(folder)
      .filter((name) => name !== evals)
      .flatMap((name) => evalsBelow(join(folder, name))),
  ];
}

/** Where a plugin has its cases; undefined for a folder that is no plugin. */
function evalFolderOf(folder: string): string | undefined {
  const manifest = MANIFESTS.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (manifest === undefined) return undefined;
  const read = manifestSchema.safeParse(readDocument(manifest).value);
  return read.data?.experimental?.evals ?? 'evals';
}

function casesBelow(folder: string, plugin: string): EvalCase[] {
  if (!existsSync(folder)) return [];
  const file = ['case.yaml', 'prompt.md'].map((name) => join(folder, name)).find((path) => existsSync(path));
  const own = file === undefined ? [] : [{ plugin, name: nameOf(folder, file), folder, file }];
  const inner = foldersIn(folder).filter((name) => !NO_CASES.has(name));
  return [...own, ...inner.flatMap((name) => casesBelow(join(folder, name), plugin))];
}

/** The name in its file, or that of its folder. */
function nameOf(folder: string, file: string): string {
  const document = file.endsWith('.yaml') ? readOrNothing(() => parseYaml(readFileSync(file, 'utf8'))) : undefined;
  return caseSchema.safeParse(document).data?.name ?? basename(folder);
}

function parseYaml(text: string): unknown {
  return (lazyRequire('yaml') as typeof Yaml).parse(text);
}

/** Whatever is wrong with a file, the CLI says it better. */
function readOrNothing(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}
