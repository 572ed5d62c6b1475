import { isObject, type JsonObject } from '../../../document/json.js';
import { compileValueSchema } from '../../../scenario/value-schema.js';
import { NotSupported } from '../options.js';

/** What is wrong with the arguments of a call, in the words of the real CLI. */
export function checkInput(tool: string, schema: JsonObject, input: JsonObject): string | undefined {
  const problem = problemsOf(tool, schema, input)[0];
  return problem === undefined ? undefined : `params${problem.path} ${problem.message}`;
}

/** What is wrong with the answer of a server that has promised what its tool answers. */
export function checkOutput(tool: string, schema: unknown, result: JsonObject): string | undefined {
  if (!isObject(schema) || result['isError'] === true) return undefined;
  const { structuredContent } = result;
  if (structuredContent === undefined)
    return `MCP error -32600: Tool ${tool} has an output schema but did not return structured content`;
  const problem = problemsOf(tool, schema, structuredContent)[0];
  if (problem === undefined) return undefined;
  const what = `data${problem.path} ${problem.message}`;
  return `MCP error -32602: Structured content does not match the tool's output schema: ${what}`;
}

function problemsOf(
  tool: string,
  schema: JsonObject,
  value: unknown,
): ReturnType<ReturnType<typeof compileValueSchema>> {
  try {
    return compileValueSchema(schema)(value);
  } catch (error) {
    throw new NotSupported(`the schema of the MCP tool ${tool}: ${(error as Error).message}`);
  }
}
