import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import {
  formatMemories,
  loadConfig,
  type Memory,
  MemoryStore,
  type MemoryType,
  memoryFile,
  searchMemories,
} from '@understudy/suites';
import { EXIT_FAILED } from './main.js';
import { print, printError, printJson } from './output.js';

type Format = 'table' | 'json' | 'markdown' | 'quiet';

export function addMemory(
  content: string,
  { type, tags = '', format }: { type: MemoryType; tags?: string; format: Format },
): number {
  return reportErrors(() => {
    const memory = openStore().add(content, type, tags.split(','));
    if (format === 'quiet') print(memory.id);
    else if (format === 'json') printJson(memory);
    else print(`stored ${memory.id} (${memory.type})`);
    return 0;
  });
}

/** Lists all memories, or those that match the query. No match is not a failure. */
export function listMemories({
  query,
  type,
  last,
  format,
}: {
  query?: string;
  type?: MemoryType;
  last?: number;
  format: Format;
}): number {
  return reportErrors(() => {
    const all = openStore().all();
    const found = (query === undefined ? all : searchMemories(all, query)).filter(
      (memory) => type === undefined || memory.type === type,
    );
    show(last === undefined ? found : found.sort((a, b) => a.id.localeCompare(b.id)).slice(-last), format);
    return 0;
  });
}

export function showMemory(id: string, { format }: { format: Format }): number {
  return reportErrors(() => {
    const memory = openStore()
      .all()
      .find((candidate) => candidate.id === id);
    if (memory === undefined) throw unknownMemory(id);
    if (format === 'json') printJson(memory);
    else show([memory], format === 'table' ? 'markdown' : format);
    return 0;
  });
}

export function deleteMemory(id: string): number {
  return reportErrors(() => {
    if (!openStore().delete(id)) throw unknownMemory(id);
    print(`deleted ${id}`);
    return 0;
  });
}

function show(memories: readonly Memory[], format: Format): void {
  if (format === 'json') printJson(memories);
  else if (format === 'quiet') for (const { id } of memories) print(id);
  else if (memories.length === 0) print('no memories');
  else if (format === 'markdown') print(formatMemories(memories).trimEnd());
  else for (const memory of memories) print(formatRow(memory));
}

function formatRow({ id, type, content, tags }: Memory): string {
  return `${id}  ${type.padEnd(8)}  ${content.split('\n')[0]}${tags.length === 0 ? '' : `  [${tags.join(', ')}]`}`;
}

function openStore(): MemoryStore {
  const root = process.env['RALPH_WORKSPACE_ROOT'] ?? process.cwd();
  const config = join(root, 'ralph.yml');
  return new MemoryStore(memoryFile(root, existsSync(config) ? loadConfig(config).memories.path : undefined));
}

function unknownMemory(id: string): UnderstudyError {
  return new UnderstudyError('MEMORY_NOT_FOUND', `there is no memory ${id}`, {
    fix: 'Use an id that `memory list` shows.',
  });
}

/** As in Ralph, the exit code of an error is 1. */
function reportErrors(work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    printError(error);
    return EXIT_FAILED;
  }
}
