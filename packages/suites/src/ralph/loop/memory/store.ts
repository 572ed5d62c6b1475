import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstudyError, withLockSync } from '@understudy/kit';
import type { Memory, MemoryType } from './memory.js';
import { parseMemories, withMemory, withoutMemory } from './memory-file.js';

const CURRENT = '.ralph/agent/memories.md';
const EARLIER = '.agent/memories.md';
const STALE_LOCK_MS = 10_000;

/** The memory file of a workspace: as configured, else where it already is, else Ralph's default. */
export function memoryFile(root: string, configured?: string): string {
  if (configured !== undefined) return join(root, configured);
  return join(root, !existsSync(join(root, CURRENT)) && existsSync(join(root, EARLIER)) ? EARLIER : CURRENT);
}

/** The memories of one workspace. */
export class MemoryStore {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  all(): Memory[] {
    return parseMemories(this.#read());
  }

  add(content: string, type: MemoryType, tags: readonly string[] = [], now: Date = new Date()): Memory {
    if (content.trim() === '') {
      throw new UnderstudyError('MEMORY_EMPTY', 'a memory needs content', { fix: 'Say what is to be remembered.' });
    }
    return this.#locked(() => {
      const text = this.#read();
      const memory: Memory = {
        id: freshId(now, text),
        type,
        content: content.trim(),
        tags: tags.map((tag) => tag.trim()).filter((tag) => tag !== ''),
        created: now.toISOString().slice(0, 10),
      };
      this.#write(withMemory(text, memory));
      return memory;
    });
  }

  /** False when there is no such memory. */
  delete(id: string): boolean {
    return this.#locked(() => {
      const text = withoutMemory(this.#read(), id);
      if (text === undefined) return false;
      this.#write(text);
      return true;
    });
  }

  #read(): string {
    try {
      return readFileSync(this.file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw new UnderstudyError('FILE_UNREADABLE', `${this.file} cannot be read: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  #write(text: string): void {
    // A reader sees the old file or the new one, never half of it.
    const fresh = `${this.file}.${process.pid}.tmp`;
    writeFileSync(fresh, text);
    renameSync(fresh, this.file);
  }

  #locked<T>(work: () => T): T {
    const locked = (lock: string) => new UnderstudyError('MEMORY_LOCKED', `${lock} is held by another process`);
    return withLockSync(this.file, { longestMs: STALE_LOCK_MS, locked }, work);
  }
}

/** Whether content or tags have the words, ignoring case. */
export function searchMemories(memories: readonly Memory[], query: string): Memory[] {
  const wanted = query.toLowerCase();
  return memories.filter(({ content, tags }) => [content, ...tags].some((text) => text.toLowerCase().includes(wanted)));
}

function freshId(now: Date, text: string): string {
  for (;;) {
    const id = `mem-${Math.floor(now.getTime() / 1000)}-${randomBytes(2).toString('hex')}`;
    if (!text.includes(id)) return id;
  }
}
