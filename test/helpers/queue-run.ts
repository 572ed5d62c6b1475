import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { writeFiles } from './rehearsal-files.js';

/** Rehearsals that write their names into a file when they are played; some wait until another file is there. */
export function writeCountedRehearsals(
  folder: string,
  names: readonly string[],
  command: (name: string) => string,
): void {
  const rehearsal = (name: string) => `name = "${name}"
[[responses]]
pattern = { type = "any" }
response = { text = "Done.", tool_calls = [{ tool = "Bash", input = { command = ${JSON.stringify(command(name))} } }] }
[[steps]]
send = "go"
expect.says = "Done"
`;
  writeFiles(folder, Object.fromEntries(names.map((name) => [`${name}.rehearsal.toml`, rehearsal(name)])));
}

/** The lines of a file, in order; none where it is not there yet. */
export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Asks the database of a queue. */
export async function askDatabase<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The names of entries, and where their log is written. */
export function logIn(folder: string): string {
  return join(folder, 'played');
}
