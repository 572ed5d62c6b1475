import { defined } from '../../../document/defined.js';
import { REFUSED } from '../refused.js';
import type { ServerAnswer } from '../session/connect-mcp.js';
import { refuse, type ToolRun } from '../tools/live-tool.js';

/** What the model reads of a server's answer: its data where it has some, else its words. */
export function readServerResult(tool: string, { content, structured, meta }: ServerAnswer): ToolRun {
  if (content.some(({ type }) => type !== 'text')) refuse(`${REFUSED.otherAnswers} ${tool}`);
  const serverMeta = defined({ structuredContent: structured, _meta: meta });
  const said = structured === undefined ? content : JSON.stringify(structured);
  const isEmpty = typeof said !== 'string' && said.every(({ text }) => text === '');
  return {
    content: isEmpty ? `(${tool} completed with no output)` : said,
    useResult: said,
    ...(Object.keys(serverMeta).length > 0 ? { serverMeta } : {}),
  };
}
