import { type GenericTool, genericFor, toGenericArguments } from '../../scenario/generic-tools.js';

/** A tool as a CLI calls it, the tool that every agent has of which it is one, and its words for the arguments. */
export interface CliTool {
  name: string;
  generic?: GenericTool;
  /** Generic argument to its own name; those that are the same are left out. */
  words?: Readonly<Record<string, string>>;
}

/** The call that a scenario means: in the CLI's own words, and in the generic ones. */
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
