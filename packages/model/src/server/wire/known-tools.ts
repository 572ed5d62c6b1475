import type { JsonObject } from '@understudy/kit';
import { objectOf, stringOf } from './json.js';
import { unread } from './lazy-object.js';
import type { OfferedTool } from './protocol.js';

const KNOWN = 8;

/** A tool as a request describes it, whatever its protocol calls the fields. */
export function offeredTool(name: string, description: unknown, schema: unknown): OfferedTool {
  const { properties, required } = objectOf(schema);
  return {
    name,
    description: stringOf(description) ?? '',
    properties: new Set(Object.keys(objectOf(properties))),
    required: Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [],
  };
}

/**
 * Reads the tools of a request. They are most of it, and an agent sends the same ones with every request: those that
 * came lately are known by their bytes, and not parsed again.
 */
export function toolReader(
  read: (tools: unknown) => readonly OfferedTool[],
): (body: JsonObject) => readonly OfferedTool[] {
  let known: { bytes: Buffer; tools: readonly OfferedTool[] }[] = [];
  return (body) => {
    const bytes = unread(body, 'tools')?.bytes;
    if (bytes === undefined) return read(body['tools']);
    const same = known.find((one) => one.bytes.equals(bytes));
    if (same !== undefined) return same.tools;
    const tools = read(body['tools']);
    known = [{ bytes: Buffer.from(bytes), tools }, ...known.slice(0, KNOWN - 1)];
    return tools;
  };
}
