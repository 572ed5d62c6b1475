import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import type { Session } from './session.js';

export interface Task {
  id: string;
  subject: string;
  description: string;
  activeForm?: string;
  owner?: string;
  status: string;
  /** The tasks that wait for this one. */
  blocks: string[];
  blockedBy: string[];
  metadata?: JsonObject;
}

function isTask(value: unknown): value is Task {
  if (!isObject(value)) return false;
  const { blocks, blockedBy, ...texts } = value;
  const areTexts = ['id', 'subject', 'description', 'status'].every((name) => typeof texts[name] === 'string');
  return areTexts && isStringList(blocks) && isStringList(blockedBy);
}

/** The tasks of a session, one file for each. Its agents share them, and the next process of the session finds them. */
export class TaskList {
  readonly #folder: string;

  constructor({ id, parts }: Session) {
    const name = parts.env['CLAUDE_CODE_TASK_LIST_ID'] ?? id;
    this.#folder = join(parts.paths.dir, 'tasks', name.replace(/[^\w-]/g, '-'));
  }

  all(): Task[] {
    return this.#ids().flatMap((id) => this.get(String(id)) ?? []);
  }

  get(id: string): Task | undefined {
    if (!/^\d+$/.test(id)) return undefined;
    const task = parseJson(readIfThere(this.#file(id)) ?? '');
    // Others can write there, too. It is saved by its id, which must not lead elsewhere.
    return isTask(task) && task.id === id ? task : undefined;
  }

  create(about: Pick<Task, 'subject' | 'description' | 'activeForm' | 'metadata'>): Task {
    const id = String(Math.max(0, this.#lastDeleted(), ...this.#ids()) + 1);
    const task: Task = { ...about, id, status: 'pending', blocks: [], blockedBy: [] };
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, '.lock'), '');
    this.save(task);
    return task;
  }

  save(task: Task): void {
    const { id, subject, description, activeForm, owner, status, blocks, blockedBy, metadata } = task;
    const ordered = { id, subject, description, activeForm, owner, status, blocks, blockedBy, metadata };
    writeFileSync(this.#file(id), JSON.stringify(ordered, null, 2));
  }

  /** The one keeps the other waiting, if both are there. */
  block(id: string, other: string): void {
    const before = this.get(id);
    if (before === undefined || this.get(other) === undefined) return;
    this.save({ ...before, blocks: [...new Set([...before.blocks, other])] });
    const after = this.get(other);
    if (after !== undefined) this.save({ ...after, blockedBy: [...new Set([...after.blockedBy, id])] });
  }

  /** Its id is not used again. */
  delete(id: string): void {
    writeFileSync(join(this.#folder, '.highwatermark'), String(Math.max(this.#lastDeleted(), Number(id))));
    rmSync(this.#file(id));
    const without = (ids: string[]): string[] => ids.filter((other) => other !== id);
    for (const task of this.all()) {
      const { blocks, blockedBy } = task;
      if (blocks.includes(id) || blockedBy.includes(id))
        this.save({ ...task, blocks: without(blocks), blockedBy: without(blockedBy) });
    }
  }

  #ids(): number[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  #lastDeleted(): number {
    return Number(readIfThere(join(this.#folder, '.highwatermark')) ?? 0);
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}
