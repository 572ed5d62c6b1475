import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where an optional program is, or undefined where it is missing: then one line says what is skipped. `.ci/run`
 * installs these programs where it can, so there a missing one is an error.
 */
export function optionalProgram(name: string, skipped: string): string | undefined {
  const found = onPath(name);
  if (found !== undefined) return found;
  const couldBeInstalled = process.getuid?.() === 0 && onPath('apt-get') !== undefined;
  if (process.env['CI'] === 'true' && couldBeInstalled)
    throw new Error(`${name} is missing, and ${skipped} needs it: install it with apt-get install ${name}`);
  console.warn(`skipped: ${skipped}, because ${name} is not on this machine`);
  return undefined;
}

/** Where a program is on PATH. */
export function onPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
