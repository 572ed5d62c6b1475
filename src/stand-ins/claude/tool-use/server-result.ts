import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import { randomHex } from '../output/ids.js';
import type { ServerAnswer } from '../session/connect-mcp.js';
import type { Session } from '../session/session.js';
import type { ToolRun } from '../tools/live-tool.js';

/** What the model reads of a server's answer: its data where it has some, else what the blocks say in words. */
export function readServerResult(session: Session, tool: string, result: ServerAnswer): ToolRun {
  const { structured, meta } = result;
  const links = result.content.filter(({ type }) => type === 'resource_link').map(linkOf);
  const serverMeta = defined({
    structuredContent: structured,
    resourceLinks: links.length > 0 ? links : undefined,
    _meta: meta,
  });
  const read = (blocks: readonly JsonObject[]) => readBlocks(session, result.server, blocks);
  const others = result.content.filter(({ type }) => type !== 'text');
  const data = JSON.stringify(structured);
  const said =
    structured === undefined ? read(result.content) : others.length === 0 ? data : [...read(others), words(data)];
  const isEmpty = typeof said !== 'string' && said.every(({ type, text }) => type === 'text' && text === '');
  return {
    content: isEmpty ? `(${tool} completed with no output)` : said,
    useResult: said,
    ...(Object.keys(serverMeta).length > 0 ? { serverMeta } : {}),
  };
}

/** What the model reads of what a server gives. */
export function readBlocks(session: Session, server: string, blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.flatMap((block) => readBlock(session, server, block));
}

function readBlock(session: Session, server: string, block: JsonObject): JsonObject[] {
  const { type, data, mimeType, resource } = block;
  switch (type) {
    case 'image':
      return [
        { type: 'image', source: { type: 'base64', media_type: mimeType, data } },
        words(`[Image: source: ${save(session, server, String(data), String(mimeType))}]`),
      ];
    case 'audio':
      return [words(`[Audio from ${server}] ${kept(session, server, data, mimeType)}`)];
    case 'resource':
      return isObject(resource) ? [words(readResource(session, server, resource))] : [];
    case 'resource_link': {
      const { uri, name, description } = block;
      const about = description === undefined ? '' : ` (${String(description)})`;
      return [words(`[Resource link: ${String(name)}] ${String(uri)}${about}`)];
    }
    default:
      return [block];
  }
}

const words = (text: string): JsonObject => ({ type: 'text', text });

function readResource(session: Session, server: string, { uri, text, blob, mimeType }: JsonObject): string {
  const said = blob === undefined ? String(text ?? '') : kept(session, server, blob, mimeType);
  return `[Resource from ${server} at ${String(uri)}] ${said}`;
}

function linkOf({ uri, name, description, mimeType }: JsonObject): JsonObject {
  return { uri, name, ...defined({ description, mimeType }) };
}

/** Keeps what is no text in a file, and says where. */
function kept(session: Session, server: string, data: unknown, mimeType: unknown): string {
  return keptAs(data, mimeType, save(session, server, String(data), String(mimeType)));
}

function keptAs(data: unknown, mimeType: unknown, file: string): string {
  const size = Buffer.byteLength(String(data), 'base64');
  return `Binary content (${String(mimeType)}, ${size} bytes) saved to ${file}`;
}

function save(session: Session, server: string, data: string, mimeType: string): string {
  const name = `mcp-${server.replace(/[^a-zA-Z0-9_-]/g, '_')}-blob-${session.parts.clock.now()}-${randomHex(6)}`;
  return saveAs(session, name, data, mimeType);
}

function saveAs(session: Session, name: string, data: string, mimeType: string): string {
  const { path } = session.transcript;
  const folder = join(dirname(path), session.id, 'tool-results');
  // The type is the server's word: only letters of it become part of a name.
  const kind = /^\w+\/(?:x-)?([a-z0-9]+)/.exec(mimeType)?.[1] ?? 'bin';
  const file = join(folder, `${name}.${kind}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, Buffer.from(data, 'base64'));
  return file;
}
