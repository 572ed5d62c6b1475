import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SourceLocation, UnderstudyError } from '../errors.js';

/** Imports a module that a user wrote, and gives its default export; `what` says what it should be: `reporter`. */
export async function importPart(file: string, what: string): Promise<NonNullable<unknown>> {
  const path = resolve(file);
  if (!existsSync(path)) throw unusablePart(`there is no file ${file} for a ${what}`, { file }, 'Check the path.');
  const module = await importFrom(path, file, what);
  const part = module.default;
  if (part !== undefined && part !== null) return part;
  throw unusablePart(`${file} has no default export`, { file }, `Write \`export default\` before the ${what}.`);
}

async function importFrom(path: string, file: string, what: string): Promise<{ default?: unknown }> {
  try {
    const { importModule } = await import('./import-module.js');
    return (await importModule(pathToFileURL(path).href)) as { default?: unknown };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = `the ${what} ${file} cannot be imported: ${message.split('\n')[0]}`;
    throw unusablePart(why, { file }, fixOfImport(code), error);
  }
}

/** What to do about a module that Node refuses. */
export function fixOfImport(
  code: string | undefined,
  otherwise = 'Correct the module: `node --check` finds mistakes of syntax.',
): string {
  if (code !== 'ERR_UNKNOWN_FILE_EXTENSION') return otherwise;
  return `Node ${process.versions.node} does not run this kind of file: write JavaScript (.mjs), or use Node 22.18 or newer for TypeScript.`;
}

function unusablePart(message: string, location: SourceLocation, fix: string, cause?: unknown): UnderstudyError {
  return new UnderstudyError('PART_UNUSABLE', message, { fix, location, cause });
}
