import { isObject } from '../../../document/json.js';
import type { LiveResult } from '../../shared/tools/plain-tools.js';

/** What stands before the result of each call. */
export const HEAD = 'Wall time: 0.0000 seconds\nOutput:';

/** The model reads texts; whatever else a server says is written as JSON. */
export function textOf(block: unknown): string {
  return isObject(block) && typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block);
}

/** What the model is told of a call: one text, or several where the server has said nothing in a structure. */
export function toldOf({ text, mcp }: Pick<LiveResult, 'text' | 'mcp'>): string | { type: string; text: string }[] {
  if (mcp === undefined || ('structured' in mcp && mcp.structured !== null)) return text;
  const texts = 'error' in mcp ? [mcp.error] : mcp.content.map(textOf);
  return [HEAD, ...texts].map((one) => ({ type: 'input_text', text: one }));
}
