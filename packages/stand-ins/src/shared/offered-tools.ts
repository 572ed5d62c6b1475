import { translateCall } from '@understudy/model';
import { genericFor } from '@understudy/script';
import type { ToolSet } from './translate-call.js';

/** A tool as the real CLI offers it to its model: its arguments, and which of them it must have. */
export interface OfferedTool {
  name: string;
  properties: readonly string[];
  required: readonly string[];
}

/**
 * The tools of a CLI that are known exactly. Calls are translated as the scripted model server does for the real CLI; the
 * tools get the CLI's own names of the arguments.
 */
export function offeredToolSet(tools: readonly OfferedTool[], cwd: string): ToolSet {
  const offered = tools.map(({ name, properties, required }) => ({
    ...{ name, required, description: '' },
    properties: new Set(properties),
  }));
  return {
    names: tools.map(({ name }) => name),
    translate(tool, input) {
      const called = translateCall(tool, input, offered, cwd);
      if (called === undefined) return undefined;
      const { name } = called.tool;
      return { name, input: called.input, generic: genericFor(name), words: called.input };
    },
  };
}
