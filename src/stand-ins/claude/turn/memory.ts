import { relative } from 'node:path';
import {
  type LaterMemoryFile,
  type MemoryFile,
  type MemoryPlace,
  memoryFiles,
  memoryFilesFor,
  memoryText,
} from '../../../claude-code/memory/memory-files.js';
import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import { attachmentLine } from '../hooks/attachment-line.js';
import { fire } from '../hooks/fire-if-any.js';
import type { Session } from '../session/session.js';

const TYPES = { user: 'User', project: 'Project', local: 'Local' } as const;

/** Agents of the CLI that are not told of instructions. */
const UNTOLD: ReadonlySet<string> = new Set(['Explore', 'Plan']);

/** What the model is told of CLAUDE.md files and rules when whoever is at work begins. */
export function tellMemory(session: Session): string | undefined {
  return UNTOLD.has(session.subagent?.subagent_type ?? '') ? undefined : memoryText(filesOf(session));
}

/** What it is told when it works with files: each of these instructions once. */
export async function tellOfTouched(session: Session): Promise<string[]> {
  const { touched, shownMemory } = session.atWork;
  const { effort } = session;
  const { promptId } = session.turn;
  // Those that a session begins with belong to no prompt.
  const ofPrompt = defined({ prompt_id: promptId, effort: effort === undefined ? undefined : { level: effort } });
  const told: string[] = [];
  for (const file of touched.splice(0)) {
    for (const found of memoryFilesFor(placeOf(session), file)) {
      const { path, kind, includedBy, globs } = found;
      if (shownMemory.has(path)) continue;
      shownMemory.add(path);
      const note = `Contents of ${path}:\n\n${found.text}`;
      told.push(note);
      const line = attachmentLine(attachmentOf(session, found), [note], session.parts.clock.timestamp());
      session.out.write([{ ...line, renderedRole: 'user' }]);
      const reason = globs === undefined ? 'nested_traversal' : 'path_glob_match';
      await fire(session, 'InstructionsLoaded', {
        ...ofPrompt,
        ...{ file_path: path, memory_type: TYPES[kind], load_reason: includedBy === undefined ? reason : 'include' },
        ...defined({ globs }),
        trigger_file_path: file,
        ...defined({ parent_file_path: includedBy }),
      });
    }
  }
  return told;
}

function attachmentOf({ parts }: Session, found: LaterMemoryFile): JsonObject & { type: string } {
  const { path, kind, written, text, globs, includedBy } = found;
  const content = {
    ...{ path, type: TYPES[kind], content: text, ...defined({ globs }) },
    ...(text === written ? { contentDiffersFromDisk: false } : { contentDiffersFromDisk: true, rawContent: written }),
    ...defined({ parent: includedBy }),
    ...(path.includes('/.claude/rules/') ? { isRule: true } : {}),
  };
  return { type: 'nested_memory', path, content, displayPath: relative(parts.cwd, path) };
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

function filesOf(session: Session): MemoryFile[] {
  return memoryFiles(placeOf(session));
}

function placeOf({ parts }: Session): MemoryPlace {
  const { cwd, paths, options } = parts;
  return { cwd, configDir: paths.dir, sources: options.settingSources };
}
