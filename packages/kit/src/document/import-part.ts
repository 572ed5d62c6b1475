import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UnderstudyError } from '../errors.js';

/** A module that needs longer than this waits for something that does not come. */
const PATIENCE_MS = 10_000;

/** Imports a module that a user wrote, and gives its default export; `what` says what it should be: `reporter`. */
export async function importPart(file: string, what: string, patienceMs = PATIENCE_MS): Promise<NonNullable<unknown>> {
  const path = resolve(file);
  if (!existsSync(path)) throw unusable(`there is no file ${file} for the ${what}`, file, 'Check the path.');
  const module = await importFrom(path, file, what, patienceMs);
  const part = module.default;
  if (part !== undefined && part !== null) return part;
  throw unusable(`${file} has no default export`, file, `Write \`export default\` before the ${what}.`);
}

async function importFrom(
  path: string,
  file: string,
  what: string,
  patienceMs: number,
): Promise<{ default?: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = patienceMs / 1000;
    timer = setTimeout(() => reject(new Error(`it had not ended its first run after ${seconds} s`)), patienceMs);
  });
  try {
    const { importModule } = await import('./import-module.js');
    return (await Promise.race([importModule(pathToFileURL(path).href), late])) as { default?: unknown };
  } catch (error) {
    const { code } = Object(error) as NodeJS.ErrnoException;
    // Anything can be thrown.
    const message = error instanceof Error ? error.message : String(error);
    const fix =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? `Node ${process.versions.node} does not run this kind of file: write JavaScript (.mjs), or use Node 22.18 or newer for TypeScript.`
        : 'Correct the module: `node --check` finds mistakes of syntax.';
    throw unusable(`the ${what} ${file} cannot be imported: ${message.split('\n')[0]}`, file, fix, error);
  } finally {
    clearTimeout(timer);
  }
}

function unusable(message: string, file: string, fix: string, cause?: unknown): UnderstudyError {
  return new UnderstudyError('PART_UNUSABLE', message, { fix, location: { file }, cause });
}
