import { type MemoryFile, memoryFiles, memoryText } from '../../../claude-code/memory-files.js';
import { defined } from '../../../document/defined.js';
import { fire } from '../hooks/fire-if-any.js';
import type { Session } from '../session/session.js';

const TYPES = { user: 'User', project: 'Project', local: 'Local' } as const;

/** What the model is told of CLAUDE.md files and rules. */
export function tellMemory(session: Session): string | undefined {
  return memoryText(filesOf(session));
}

/** Hooks hear of each of them. */
export async function announceMemory(session: Session): Promise<void> {
  for (const { path, kind, includedBy } of filesOf(session))
    await fire(session, 'InstructionsLoaded', {
      file_path: path,
      memory_type: TYPES[kind],
      load_reason: includedBy === undefined ? 'session_start' : 'include',
      ...defined({ parent_file_path: includedBy }),
    });
}

function filesOf({ parts }: Session): MemoryFile[] {
  const { cwd, paths, options } = parts;
  return memoryFiles({ cwd, configDir: paths.dir, sources: options.settingSources });
}
