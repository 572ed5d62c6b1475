import { type ErrorCode, UnderstudyError } from '@understudy/kit';
import type { Tool, ToolContext } from './tool.js';
import { toolCategories } from './tools/index.js';
import toolList from './tools.schema.json' with { type: 'json' };

/** Calls a tool of the server for a client that does not speak MCP. Throws what an MCP client gets as an error. */
export async function callTool(name: string, args: unknown, context: ToolContext): Promise<unknown> {
  const category = Object.entries(toolList).find(([, tools]) => tools.some((tool) => tool.name === name))?.[0];
  const { structuredContent, isError } = await (await toolNamed(category ?? '', name)).call(args, context);
  if (isError !== true) return structuredContent;
  const { error } = structuredContent as { error: { code: ErrorCode; message: string; fix: string } };
  throw new UnderstudyError(error.code, error.message, { fix: error.fix });
}

/** A tool by its name. */
export async function toolNamed(category: string, name: string): Promise<Tool> {
  const tool = (await toolCategories[category]?.())?.find((one) => one.name === name);
  if (tool === undefined) {
    throw new UnderstudyError('MCP_NO_TOOL', `there is no tool ${name}`, {
      fix: 'Use one of the names in docs/mcp.md.',
    });
  }
  return tool;
}
