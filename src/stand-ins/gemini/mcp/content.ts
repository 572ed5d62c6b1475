import { isObject, type JsonObject, textOrEmpty } from '../../../document/json.js';
import type { LiveResult } from '../../shared/tools/plain-tools.js';
import { NotSupported } from '../options.js';

/** What the model is told of the answer of a server, and what the user sees of it. */
export function resultOf(tool: string, blocks: readonly unknown[]): LiveResult {
  const parts: NonNullable<LiveResult['parts']>[number][] = [];
  const shown: string[] = [];
  for (const block of blocks) {
    const { type, ...content } = isObject(block) ? block : ({} as JsonObject);
    if (type === 'text') {
      parts.push({ text: untrusted(textOrEmpty(content['text'])) });
      shown.push(textOrEmpty(content['text']));
    } else if (type === 'image' || type === 'audio') {
      const mimeType = textOrEmpty(content['mimeType']);
      parts.push({ text: `[Tool '${tool}' provided the following ${type} data with mime-type: ${mimeType}]` });
      shown.push(`[${type === 'image' ? 'Image' : 'Audio'}: ${mimeType}]`);
      parts.push({ inlineData: { mimeType, data: textOrEmpty(content['data']) } });
    } else if (type === 'resource_link') {
      const name = textOrEmpty(content['title']) || textOrEmpty(content['name']);
      parts.push({ text: `Resource Link: ${name} at ${textOrEmpty(content['uri'])}` });
      shown.push(`[Link to ${name}: ${textOrEmpty(content['uri'])}]`);
    } else if (type === 'resource' && isObject(content['resource']) && content['resource']['text']) {
      parts.push({ text: untrusted(textOrEmpty(content['resource']['text'])) });
      shown.push(textOrEmpty(content['resource']['text']));
    } else throw new NotSupported(`what the MCP tool ${tool} answers (${String(type)})`);
  }
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  return { text: texts.join('\n'), isError: false, shown: shown.join('\n'), parts };
}

/** A call that failed: in the server, or on the way to it. */
export function failureOf(tool: string, input: JsonObject, response: JsonObject): LiveResult {
  const call = JSON.stringify({ name: tool, args: input });
  const told = JSON.stringify([{ functionResponse: { name: tool, response } }]);
  return {
    text: `MCP tool '${tool}' reported tool error for function call: ${call} with response: ${told}`,
    isError: true,
    shown: `Error: MCP tool '${tool}' reported an error.`,
    errorType: 'mcp_tool_error',
  };
}

function untrusted(text: string): string {
  const escaped = text.replaceAll('</untrusted_context>', '&lt;/untrusted_context&gt;');
  return `<untrusted_context>\n${escaped}\n</untrusted_context>`;
}
