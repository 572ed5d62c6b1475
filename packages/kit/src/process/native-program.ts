import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import { UnderstudyError } from '../errors.js';
import { findOwnFile } from './own-program.js';

/** The program that is all stand-ins and the loop, compiled: its first argument names the one to be. */
const PROGRAM = 'understudy-stand-ins';
/** The bundle whose date is the age of the build. */
const BUNDLE = join('bin', 'understudy-claude.cjs');

/** A compiled program that may be used instead of our bundles, or why there is none. */
export type NativeProgram =
  | { file: string; from: 'build' | 'package' | 'variable' }
  | { file?: undefined; reason: string; isMistake?: true };

let known: NativeProgram | undefined;

/**
 * Looks once for the compiled stand-ins: those of `npm run build:native`, else the package of this platform in the
 * same version. `UNDERSTUDY_NATIVE=0` turns them off, and `UNDERSTUDY_NATIVE=FILE` takes that program.
 */
export function nativeProgram(environment: NodeJS.ProcessEnv = process.env): NativeProgram {
  const chosen = environment['UNDERSTUDY_NATIVE'] ?? '';
  if (chosen === '0') return { reason: 'turned off by UNDERSTUDY_NATIVE=0' };
  if (chosen !== '') {
    const file = resolve(chosen);
    if (existsSync(file)) return { file, from: 'variable' };
    return { reason: `there is no ${file}, which UNDERSTUDY_NATIVE names`, isMistake: true };
  }
  known ??= builtProgram() ?? packagedProgram();
  return known;
}

/** How to start one of our programs: compiled where it can be, else its bundle. */
export function startCompiled(name: string, bundled: () => string[]): string[] {
  const native = nativeProgram();
  if (native.file !== undefined) return [native.file, name];
  if (native.isMistake) {
    throw new UnderstudyError('FILE_NOT_FOUND', native.reason, {
      fix: 'Name a compiled program, or leave the variable out.',
    });
  }
  return bundled();
}

/** What was compiled before the last build is something else than what stands in the sources. */
function builtProgram(): NativeProgram | undefined {
  const file = findOwnFile(join('native', PROGRAM));
  const bundle = findOwnFile(BUNDLE);
  if (file === undefined || bundle === undefined) return undefined;
  if (statSync(file).mtimeMs < statSync(bundle).mtimeMs)
    return { reason: 'dist/native is older than the build; npm run build:native makes it anew' };
  return { file, from: 'build' };
}

function packagedProgram(): NativeProgram {
  const { platform, arch } = process;
  const fromHere = createRequire(import.meta.url);
  let reason = `no package @agent-understudy/native-${platform}-${arch}`;
  for (const name of [`native-${platform}-${arch}`, `native-${platform}-${arch}-musl`]) {
    const manifest = resolveOrNothing(fromHere, `@agent-understudy/${name}/package.json`);
    if (manifest === undefined) continue;
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string };
    const file = join(dirname(manifest), PROGRAM);
    if (version !== packageJson.version) reason = `@agent-understudy/${name} is ${version}, not ${packageJson.version}`;
    else if (existsSync(file)) return { file, from: 'package' };
  }
  return { reason };
}

function resolveOrNothing(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(name);
  } catch {
    return undefined;
  }
}
