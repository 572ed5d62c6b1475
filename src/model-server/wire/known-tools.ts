import type { JsonObject } from './json.js';
import { unreadBytes } from './lazy-object.js';
import type { OfferedTool } from './protocol.js';

const KNOWN = 8;

/**
 * Reads the tools of a request. They are most of it, and an agent sends the same ones with every request: those that
 * came lately are known by their bytes, and not parsed again.
 */
export function toolReader(
  read: (tools: unknown) => readonly OfferedTool[],
): (body: JsonObject) => readonly OfferedTool[] {
  let known: { bytes: Buffer; tools: readonly OfferedTool[] }[] = [];
  return (body) => {
    const bytes = unreadBytes(body, 'tools');
    if (bytes === undefined) return read(body['tools']);
    const same = known.find((one) => one.bytes.equals(bytes));
    if (same !== undefined) return same.tools;
    const tools = read(body['tools']);
    known = [{ bytes: Buffer.from(bytes), tools }, ...known.slice(0, KNOWN - 1)];
    return tools;
  };
}
