import { join } from 'node:path';
import { tellingLine, UntrustedFolder } from '@understudy/kit';
import * as z from 'zod/mini';

const entrySchema = z.looseObject({ error: z.string() });

/** Where the CLI keeps the logs of its servers: on Linux, and on macOS. */
const ROOTS = [join('.cache', 'claude-cli-nodejs'), join('Library', 'Caches', 'claude-cli-nodejs')];

/** The most telling line of what a server wrote to stderr: the CLI keeps that in a log of its own. */
export function serverLog(home: string, name: string): string | undefined {
  const folder = `mcp-logs-${name.replace(/[^A-Za-z0-9-]/g, '-')}`;
  const files = new UntrustedFolder(home);
  const below = (path: string) => files.list(path).map((entry) => `${path}/${entry.name}`);
  const logs = ROOTS.flatMap(below).flatMap((project) => below(`${project}/${folder}`));
  const said = logs.flatMap((file) => errorsIn(files.text(file) ?? ''));
  const stderr = said.filter((text) => text.startsWith('Server stderr:'));
  return tellingLine(stderr.map((text) => text.replace(/^Server stderr:\s*/, '')).join('\n'));
}

function errorsIn(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    try {
      return [entrySchema.parse(JSON.parse(line)).error];
    } catch {
      return [];
    }
  });
}
