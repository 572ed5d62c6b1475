import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UnderstudyError } from '../errors.js';

/** Imports a module that a user wrote, and gives its default export; `what` says what it should be: `reporter`. */
export async function importPart(file: string, what: string): Promise<NonNullable<unknown>> {
  const path = resolve(file);
  if (!existsSync(path)) throw unusable(`there is no file ${file} for a ${what}`, file, 'Check the path.');
  const module = await importFrom(path, file, what);
  const part = module.default;
  if (part !== undefined && part !== null) return part;
  throw unusable(`${file} has no default export`, file, `Write \`export default\` before the ${what}.`);
}

async function importFrom(path: string, file: string, what: string): Promise<{ default?: unknown }> {
  try {
    const { importModule } = await import('./import-module.js');
    return (await importModule(pathToFileURL(path).href)) as { default?: unknown };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fix =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? `Node ${process.versions.node} does not run this kind of file: write JavaScript (.mjs), or use Node 22.18 or newer for TypeScript.`
        : 'Correct the module: `node --check` finds mistakes of syntax.';
    throw unusable(`the ${what} ${file} cannot be imported: ${message.split('\n')[0]}`, file, fix, error);
  }
}

function unusable(message: string, file: string, fix: string, cause?: unknown): UnderstudyError {
  return new UnderstudyError('PART_UNUSABLE', message, { fix, location: { file }, cause });
}
