import { resolve } from 'node:path';
import { type GenericTool, genericFor, toGenericArguments } from '@understudy/script';
import type { LiveResult } from './tools/plain-tools.js';

/** A tool of a CLI: its name, the generic tool that it is, and its names of the arguments. */
export interface CliTool {
  name: string;
  generic?: GenericTool;
  /** The CLI's name of each generic argument; equal names are left out. */
  words?: Readonly<Record<string, string>>;
}

/** A call of a scenario: with the CLI's own names, and with the generic ones. */
export interface TranslatedCall {
  name: string;
  input: Record<string, unknown>;
  generic: GenericTool | undefined;
  words: Record<string, unknown>;
  /** The CLI does not offer the tool: this is what it says. */
  result?: LiveResult;
}

/** The tools that a CLI offers to its model. */
export interface ToolSet {
  names: readonly string[];
  /** Undefined for a tool that the CLI does not offer. */
  translate(tool: string, input: Record<string, unknown>): TranslatedCall | undefined;
  /** What the CLI makes of a call of a tool that it does not offer, where that is known. */
  unavailable?(tool: string): { name: string; input: Record<string, unknown>; result: LiveResult };
}

/**
 * A CLI whose tools are known by their generic names only. A tool that is not in the list keeps its name. With a folder,
 * paths of generic calls become absolute, as the scripted model server writes them.
 */
export function openToolSet(tools: readonly CliTool[], folder?: string): ToolSet {
  return {
    names: tools.map(({ name }) => name),
    translate: (tool, input) => translateForCli(tool, input, tools, folder),
  };
}

/** Translates a call of a scenario: into the CLI's own names, and into the generic ones. */
export function translateForCli(
  tool: string,
  input: Record<string, unknown>,
  tools: readonly CliTool[],
  folder?: string,
): TranslatedCall {
  const generic = genericFor(tool);
  const own =
    tools.find(({ name }) => name === tool) ?? (generic && tools.find((candidate) => candidate.generic === generic));
  const words = toGenericArguments(input);
  if (own === undefined) return { name: tool, input, generic, words };
  const speaksOwn = own.name === tool && Object.keys(input).every((key) => own.words?.[key] === undefined);
  if (folder !== undefined && !speaksOwn && own.generic !== 'shell' && typeof words['path'] === 'string')
    words['path'] = resolve(folder, words['path']);
  const said = Object.entries(words).map(([key, value]) => [own.words?.[key] ?? key, value]);
  return {
    name: own.name,
    input: own.generic === undefined ? input : Object.fromEntries(said),
    generic: own.generic,
    words,
  };
}
