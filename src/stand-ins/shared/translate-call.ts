import { type GenericTool, genericFor, toGenericArguments } from '../../scenario/generic-tools.js';

/** A tool of a CLI: its name, the generic tool that it is, and its names of the arguments. */
export interface CliTool {
  name: string;
  generic?: GenericTool;
  /** The CLI's name of each generic argument; equal names are left out. */
  words?: Readonly<Record<string, string>>;
}

/** Translates a call of a scenario: into the CLI's own names, and into the generic ones. */
export function translateCall(
  tool: string,
  input: Record<string, unknown>,
  tools: readonly CliTool[],
): { name: string; input: Record<string, unknown>; generic: GenericTool | undefined; words: Record<string, unknown> } {
  const generic = genericFor(tool);
  const own =
    tools.find(({ name }) => name === tool) ?? (generic && tools.find((candidate) => candidate.generic === generic));
  const words = toGenericArguments(input);
  if (own === undefined) return { name: tool, input, generic, words };
  const said = Object.entries(words).map(([key, value]) => [own.words?.[key] ?? key, value]);
  return {
    name: own.name,
    input: own.generic === undefined ? input : Object.fromEntries(said),
    generic: own.generic,
    words,
  };
}
