import { filesOfPart, isModuleFile } from '@understudy/kit';

/** The files that a module imports by a relative path, and what they import: a change of one is a change of it. */
export function importedFiles(file: string): string[] {
  return isModuleFile(file) ? filesOfPart(file).slice(1) : [];
}
