import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Yaml from 'yaml';
import { isObject, type JsonObject } from '../../../document/json.js';
import { lazyRequire } from '../../../document/lazy-require.js';

/** A command or an agent in a file: its fields, and its text. */
export interface MarkdownFile {
  path: string;
  /** Its path in the folder, without the ending. */
  name: string;
  fields: JsonObject;
  text: string;
}

/** The Markdown files below the folders of these names, those of the first name first. */
export function markdownIn(folder: string, names: readonly string[]): MarkdownFile[] {
  return names.flatMap((name) =>
    filesBelow(join(folder, name))
      .filter((file) => file.endsWith('.md'))
      .map((file) => ({
        path: join(folder, name, file),
        name: file.slice(0, -3),
        ...readMarkdown(join(folder, name, file)),
      })),
  );
}

/** The files below a folder, as paths from it. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  } catch {
    // There is none.
    return [];
  }
}

/** The fields and the text of a Markdown file. */
export function readMarkdown(path: string): Pick<MarkdownFile, 'fields' | 'text'> {
  const source = readFileSync(path, 'utf8');
  const [all, head] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(source) ?? [];
  if (all === undefined || head === undefined) return { fields: {}, text: source.trim() };
  return { fields: parseHead(head), text: source.slice(all.length).trim() };
}

/** OpenCode goes on without a head that is no YAML. */
function parseHead(head: string): JsonObject {
  try {
    const fields: unknown = (lazyRequire('yaml') as typeof Yaml).parse(head, { logLevel: 'error' });
    return isObject(fields) ? fields : {};
  } catch {
    return {};
  }
}
