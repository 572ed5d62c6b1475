import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const MARKETPLACE = resolve('examples/marketplace');
export const TOOLBOX = resolve('test/faults/toolbox');

/** A copy of a folder with plugins and rehearsals, to be spoilt. */
export class Copy {
  readonly folder: string;

  constructor(base: string, folder: string) {
    this.folder = folder;
    cpSync(base, folder, { recursive: true });
  }

  /** Replaces a text of a file. That it is there is checked: a fault that changes nothing proves nothing. */
  edit(file: string, from: string | RegExp, to: string): void {
    const path = join(this.folder, file);
    const before = readFileSync(path, 'utf8');
    const after = before.replace(from, () => to);
    if (after === before) throw new Error(`${file} has no ${from}`);
    writeFileSync(path, after);
  }

  /** Writes a file, which may be new. */
  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  append(file: string, text: string): void {
    const path = join(this.folder, file);
    writeFileSync(path, readFileSync(path, 'utf8') + text);
  }

  rename(from: string, to: string): void {
    mkdirSync(dirname(join(this.folder, to)), { recursive: true });
    renameSync(join(this.folder, from), join(this.folder, to));
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  /** The path of a rehearsal by its short name: `commands/epti-implement`. */
  rehearsal(name: string): string {
    return join(this.folder, 'rehearsals', `${name}.rehearsal.toml`);
  }
}
