import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Environment, UnderstudyError } from '@understudy/kit';
import { environmentOf } from './agent-environment.js';
import type { Rehearsal } from './load.js';
import type { ProgramFields } from './run-schema.js';

/** What a text of a rehearsal may name by `{{…}}`: `url`, `api.port` … */
export type Values = Readonly<Record<string, string>>;

export function filled(text: string, values: Values): string {
  return text.replace(
    /\{\{([\w.-]+)\}\}/g,
    (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : whole) ?? '',
  );
}

export function filledAll(texts: Environment, values: Values): Environment {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text, values)]));
}

/** How the programs that a rehearsal names are started. */
export class ProgramStart {
  readonly #rehearsal: Rehearsal;
  readonly #project: string;
  readonly #values: Values;

  /** `{{here}}` is the folder of the rehearsal, `{{project}}` that of the project. */
  constructor(rehearsal: Rehearsal, project: string, values: Values) {
    this.#rehearsal = rehearsal;
    this.#project = project;
    this.#values = { ...values, here: resolve(dirname(rehearsal.file)), project };
  }

  fill(text: string): string {
    return filled(text, this.#values);
  }

  of(program: ProgramFields): { command: string[]; cwd: string; env: Environment; path: string | undefined } {
    const { document, file } = this.#rehearsal;
    const named = environmentOf({ ...document, env: { ...document.env, ...program.env } }, file);
    const { PATH: path, ...env } = filledAll(named, this.#values);
    return { command: this.#commandOf(program), cwd: this.#folderOf(program), env, path };
  }

  #folderOf({ cwd }: ProgramFields): string {
    const folder = resolve(this.#project, cwd ?? '.');
    if (existsSync(folder)) return folder;
    throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no folder ${cwd} in the project`, {
      fix: 'Name a folder of the project, or create it in an earlier step.',
    });
  }

  /** A program with a relative path is in the project, or else beside the rehearsal. */
  #commandOf({ run, cwd }: ProgramFields): string[] {
    if (typeof run === 'string') return ['/bin/sh', '-c', this.fill(run)];
    const [program = '', ...args] = run.map((word) => this.fill(word));
    if (!/^\.{0,2}\/|\//.test(program)) return [program, ...args];
    const inProject = resolve(this.#project, cwd ?? '.', program);
    const beside = resolve(dirname(this.#rehearsal.file), program);
    return [existsSync(inProject) || !existsSync(beside) ? inProject : beside, ...args];
  }
}
