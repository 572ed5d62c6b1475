import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const SCHEMA = join('agent-understudy', 'schema', 'rehearsal.schema.json');

/** The first line of a TOML file by which editors find its schema: in node_modules, else on the web. */
export function schemaLine(file: string, version: string): string {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', SCHEMA);
    if (existsSync(path)) return `#:schema ${relative(dirname(resolve(file)), path).replaceAll('\\', '/')}`;
    if (folder === dirname(folder)) break;
  }
  return `#:schema https://unpkg.com/agent-understudy@${version}/schema/rehearsal.schema.json`;
}
