import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Orchestrator } from './orchestrator.js';

/** The file of an orchestrator's program, without the interpreter that may come before it. */
export function programFile({ command }: Pick<Orchestrator, 'command'>): string | undefined {
  return command.findLast((word) => isAbsolute(word) && existsSync(word));
}
