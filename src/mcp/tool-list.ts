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
  return brief(standard.jsonSchema[side]({ target: 'draft-2020-12' })) as Record<string, unknown>;
}

/** The largest number that zod takes for a whole one. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/** Without what says nothing: a model reads all of it. The dialect is that of MCP, and keys are always strings. */
function brief(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(brief);
  if (typeof schema !== 'object' || schema === null) return schema;
  const told = Object.entries(schema).filter(
    ([name, value]) =>
      name !== '$schema' &&
      name !== 'propertyNames' &&
      !(name === 'additionalProperties' && isEmpty(value)) &&
      !(name === 'maximum' && value === LARGEST),
  );
  return Object.fromEntries(told.map(([name, value]) => [name, brief(value)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
