import { isModuleFile, readIfThere } from '@understudy/kit';

/** The line at which a module exports its rehearsal: of what is inside, no line is known. */
export function exportLine(file: string): number {
  if (!isModuleFile(file)) return 1;
  const before = (readIfThere(file) ?? '').split(/^export\s+default\b/m);
  return before.length < 2 ? 1 : (before[0] ?? '').split('\n').length;
}
