import { chmodSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';
import ts from 'typescript';
import type { Change } from './catalogue/loop.js';

/** The reference loop as a program of one file per module, so that a fault costs one file and not a build. */
export class FaultyLoops {
  readonly #root: string;
  readonly #sound: string;

  private constructor(root: string) {
    this.#root = root;
    this.#sound = join(root, 'sound-program');
  }

  /** Builds the sound program once, below the folder. */
  static async build(root: string): Promise<FaultyLoops> {
    const loops = new FaultyLoops(root);
    // What is not ours is found where the repository has it.
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
    await build({
      config: false,
      logLevel: 'error',
      entry: { 'bin/understudy': 'src/bin/understudy-loop.ts' },
      outDir: loops.#sound,
      platform: 'node',
      fixedExtension: false,
      dts: false,
      clean: false,
      unbundle: true,
      deps: { neverBundle: [/^zod/, /^yaml/, /^smol-toml/, /^commander/, /^picocolors/] },
    });
    return loops;
  }

  /** A `ralph` that is the loop with these changes, in a folder below the root. */
  plant(folder: string, changes: readonly Change[]): string {
    const program = join(this.#root, folder, 'program');
    cpSync(this.#sound, program, { recursive: true });
    const sources = new Map<string, string>();
    for (const [file, written, instead] of changes) {
      const parts = (sources.get(file) ?? readFileSync(resolve('src', file), 'utf8')).split(written);
      if (parts.length !== 2) throw new Error(`src/${file} has "${written}" ${parts.length - 1} times, not once`);
      sources.set(file, parts.join(instead));
    }
    for (const [file, source] of sources) {
      writeFileSync(join(program, 'src', file.replace(/\.ts$/, '.js')), transpile(source));
    }
    const ralph = join(this.#root, folder, 'ralph');
    const loop = `'${process.execPath}' '${join(program, 'bin/understudy.js')}' loop "$@"`;
    writeFileSync(ralph, `#!/bin/sh\n[ "$1" = --version ] && echo 'understudy loop 0.0.0' && exit\nexec ${loop}\n`);
    chmodSync(ralph, 0o755);
    return ralph;
  }
}

function transpile(source: string): string {
  const { ESNext: module } = ts.ModuleKind;
  const { ES2023: target } = ts.ScriptTarget;
  return ts.transpileModule(source, { compilerOptions: { module, target, verbatimModuleSyntax: true } }).outputText;
}
