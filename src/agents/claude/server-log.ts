import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { tellingLine } from '../../process/telling-line.js';

const entrySchema = z.looseObject({ error: z.string() });

/** Where the CLI keeps the logs of its servers: on Linux, and on macOS. */
const ROOTS = [join('.cache', 'claude-cli-nodejs'), join('Library', 'Caches', 'claude-cli-nodejs')];

/** The most telling line of what a server wrote to stderr: the CLI keeps that in a log of its own. */
export function serverLog(home: string, name: string): string | undefined {
  const folder = `mcp-logs-${name.replace(/[^A-Za-z0-9-]/g, '-')}`;
  const projects = ROOTS.map((root) => join(home, root)).flatMap((root) =>
    namesIn(root).map((project) => join(root, project, folder)),
  );
  const said = projects.flatMap((logs) => namesIn(logs).flatMap((file) => errorsIn(join(logs, file))));
  const stderr = said.filter((text) => text.startsWith('Server stderr:'));
  return tellingLine(stderr.map((text) => text.replace(/^Server stderr:\s*/, '')).join('\n'));
}

function errorsIn(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [entrySchema.parse(JSON.parse(line)).error];
      } catch {
        return [];
      }
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
