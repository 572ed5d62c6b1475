import { isObject, type JsonObject } from '../document/json.js';

export interface MarkdownFile {
  meta: JsonObject;
  body: string;
}

const FENCED = /^---\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)([\s\S]*)$/;

/** Splits a Markdown file into its YAML head and its body. A head that is not valid YAML counts as empty. */
export async function readMarkdown(text: string): Promise<MarkdownFile> {
  const match = FENCED.exec(text);
  if (match === null) return { meta: {}, body: text };
  const { parse } = await import('yaml');
  try {
    const meta: unknown = parse(match[1] ?? '');
    return { meta: isObject(meta) ? meta : {}, body: match[2] ?? '' };
  } catch {
    return { meta: {}, body: match[2] ?? '' };
  }
}
