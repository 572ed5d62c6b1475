import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const entrySchema = z.looseObject({ error: z.string() });

/** What a server wrote on stderr, and how it ended: the CLI keeps that in a log of its own. */
export function serverLog(home: string, name: string): string | undefined {
  const root = join(home, '.cache', 'claude-cli-nodejs');
  const folder = `mcp-logs-${name.replace(/[^A-Za-z0-9-]/g, '-')}`;
  const said = namesIn(root).flatMap((project) =>
    namesIn(join(root, project, folder)).flatMap((file) => errorsIn(join(root, project, folder, file))),
  );
  const stderr = said.filter((text) => text.startsWith('Server stderr:'));
  const lines = stderr.flatMap((text) => text.replace(/^Server stderr:\s*/, '').split('\n'));
  return (
    lines.find((line) => /error|cannot|not found|denied/i.test(line))?.trim() ??
    lines.find((line) => line.trim() !== '')?.trim()
  );
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
