import { hasMoreFor, type MemoryFile, type MemoryPlace, memoryFiles, memoryText } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { recordUnsupported } from '../../shared/record-call.js';
import { fire } from '../hooks/fire-if-any.js';
import { REFUSED } from '../refused.js';
import type { Session } from '../session/session.js';

const TYPES = { user: 'User', project: 'Project', local: 'Local' } as const;

/** Agents of the CLI that do not receive instructions. */
const WITHOUT_INSTRUCTIONS: ReadonlySet<string> = new Set(['Explore', 'Plan']);

/** What the model receives of CLAUDE.md files and rules when an agent begins. */
export function memoryForModel(session: Session): string | undefined {
  return WITHOUT_INSTRUCTIONS.has(session.subagent?.subagent_type ?? '') ? undefined : memoryText(filesOf(session));
}

/** Looks at the files that it has worked with since. */
export function lookAtTouched(session: Session): void {
  const place = placeOf(session);
  const touched = session.atWork.touched.splice(0);
  const found = touched.find((file) => hasMoreFor(place, file));
  if (found !== undefined) recordUnsupported(`${REFUSED.laterMemory} It works with ${found}.`);
}

/** Hooks receive each of them. */
export async function announceMemory(session: Session): Promise<void> {
  for (const { path, kind, includedBy } of filesOf(session))
    await fire(session, 'InstructionsLoaded', {
      file_path: path,
      memory_type: TYPES[kind],
      load_reason: includedBy === undefined ? 'session_start' : 'include',
      ...defined({ parent_file_path: includedBy }),
    });
}

function filesOf(session: Session): MemoryFile[] {
  return memoryFiles(placeOf(session));
}

function placeOf({ parts }: Session): MemoryPlace {
  const { cwd, paths, options } = parts;
  return { cwd, configDir: paths.dir, sources: options.settingSources };
}
