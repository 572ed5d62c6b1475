import type { JsonObject } from '@understudy/kit';
import type { OfferedTool } from './wire/protocol.js';

const DECLARATION = /declare const tools: \{ (\w+)\((?:args|input): (?:string|\{([\s\S]*?)\n?\})\): Promise/g;
const ARGUMENT = /^ {2}(\w+)(\?)?:/gm;

/**
 * The tools that Codex offers its newer models (`gpt-5.6-*`): all but a few are functions for the JavaScript of one tool,
 * and only its description mentions them.
 */
export function nestedTools(outer: OfferedTool): OfferedTool[] {
  if (outer.custom !== true || !outer.description.includes('declare const tools:')) return [];
  return [...outer.description.matchAll(DECLARATION)].map(([, name = '', fields]): OfferedTool => {
    const named = [...(fields ?? '').matchAll(ARGUMENT)].map(([, argument = '', optional]) => ({ argument, optional }));
    return {
      name,
      description: '',
      properties: new Set(named.map(({ argument }) => argument)),
      required: named.flatMap(({ argument, optional }) => (optional === undefined ? [argument] : [])),
      ...(fields === undefined ? { custom: true as const } : {}),
      nestedIn: outer,
    };
  });
}

/** The call of a nested tool, as the program that its outer tool runs. */
export function nestedCall({ name, custom }: OfferedTool, input: JsonObject): JsonObject {
  const [only] = Object.values(input);
  return { code: `text(await tools.${name}(${JSON.stringify(custom === true ? only : input)}))` };
}
