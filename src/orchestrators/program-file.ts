import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Orchestrator } from './orchestrator.js';

/** The file of an orchestrator's program: it is watched. An interpreter before it is not. */
export function programFile({ command }: Pick<Orchestrator, 'command'>): string | undefined {
  return command.findLast((word) => isAbsolute(word) && existsSync(word));
}
