import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined, type JsonObject } from '@understudy/kit';
import { randomHex } from '../output/ids.js';
import { REFUSED } from '../refused.js';
import type { ServerAnswer } from '../session/connect-mcp.js';
import type { Session } from '../session/session.js';
import { refuse, type ToolRun } from '../tools/live-tool.js';

/** What the model reads of a server's answer: its data where it has some, else its words and images. */
export function readServerResult(session: Session, tool: string, answer: ServerAnswer): ToolRun {
  const { server, content, structured, meta } = answer;
  if (content.some(({ type }) => type !== 'text' && type !== 'image')) refuse(`${REFUSED.otherAnswers} ${tool}`);
  const serverMeta = defined({ structuredContent: structured, _meta: meta });
  const read = (blocks: readonly JsonObject[]) => blocks.flatMap((block) => readBlock(session, server, block));
  const images = content.filter(({ type }) => type === 'image');
  const data = JSON.stringify(structured);
  const said = structured === undefined ? read(content) : images.length === 0 ? data : [...read(images), words(data)];
  const isEmpty = typeof said !== 'string' && said.every(({ type, text }) => type === 'text' && text === '');
  return {
    content: isEmpty ? `(${tool} completed with no output)` : said,
    useResult: said,
    ...(Object.keys(serverMeta).length > 0 ? { serverMeta } : {}),
  };
}

const words = (text: string): JsonObject => ({ type: 'text', text });

function readBlock(session: Session, server: string, block: JsonObject): JsonObject[] {
  const { type, data, mimeType } = block;
  if (type !== 'image') return [block];
  return [
    { type: 'image', source: { type: 'base64', media_type: mimeType, data } },
    words(`[Image: source: ${save(session, server, String(data), String(mimeType))}]`),
  ];
}

/** Keeps an image in a file. */
function save(session: Session, server: string, data: string, mimeType: string): string {
  const folder = join(dirname(session.transcript.path), session.id, 'tool-results');
  const name = `mcp-${server.replace(/[^a-zA-Z0-9_-]/g, '_')}-blob-${session.parts.clock.now()}-${randomHex(6)}`;
  // The type is the server's word: only letters of it become part of a name.
  const kind = /^\w+\/(?:x-)?([a-z0-9]+)/.exec(mimeType)?.[1] ?? 'bin';
  const file = join(folder, `${name}.${kind}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, Buffer.from(data, 'base64'));
  return file;
}
