import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { toolCategories } from './tools/index.js';

/** A tool as clients see it in the list. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}

/** The tools of each category. */
export type ToolList = Record<string, ListedTool[]>;

/**
 * Makes the list from the tools themselves. It is kept in tools.schema.json, because making it, and
 * the schemas that it is made from, takes longer at each start than all the rest of ours.
 */
export async function makeToolList(): Promise<ToolList> {
  const list: ToolList = {};
  for (const [category, load] of Object.entries(toolCategories)) {
    list[category] = (await load()).map(({ name, title, description, annotations, input, output }) => ({
      ...{ name, title, description, annotations },
      inputSchema: jsonOf(input, 'input'),
      outputSchema: jsonOf(output, 'output'),
    }));
  }
  return list;
}

function jsonOf(schema: object, side: 'input' | 'output'): Record<string, unknown> {
  const standard = (schema as { '~standard': { jsonSchema: Record<typeof side, (options: object) => unknown> } })[
    '~standard'
  ];
  return standard.jsonSchema[side]({ target: 'draft-2020-12' }) as Record<string, unknown>;
}
