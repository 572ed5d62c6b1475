import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunResult, runProgram } from './understudy.js';

const bundle = ['dist/bin/understudy-claude.cjs', 'dist/bin/understudy-claude.js']
  .map((file) => resolve(file))
  .find((file) => existsSync(file));

/** The built stand-in, as a user starts it. */
export const STAND_IN = bundle ?? resolve('dist/bin/understudy-claude.cjs');

/** A home and a project for one test. */
export interface StandInWorld {
  root: string;
  home: string;
  cwd: string;
  config: string;
  /** Runs the stand-in in the project. */
  run(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<RunResult>;
  /** The same with `stream-json`: its events. */
  stream(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Json[]>;
  env: Record<string, string>;
}

export type Json = Record<string, unknown>;

/** A fresh world that plays the scenario. Files that begin with `HOME/` are the user's, others the project's. */
export function standInWorld(scenario: object, files: Record<string, string | object> = {}): StandInWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'stand-in-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const cwd = join(root, 'work');
  mkdirSync(cwd, { recursive: true });
  const all = { ...files, 'HOME/scenario.json': scenario };
  for (const [name, content] of Object.entries(all)) {
    const path = name.startsWith('HOME/') ? join(home, name.slice('HOME/'.length)) : join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
      name.endsWith('.sh') ? { mode: 0o755 } : {},
    );
  }
  const env = {
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    UNDERSTUDY_SCENARIO: join(home, 'scenario.json'),
  };
  const run: StandInWorld['run'] = (args, options = {}) =>
    runProgram([process.execPath, STAND_IN, ...args], {
      cwd,
      input: options.input ?? '',
      env: { ...env, ...options.env },
    });
  return {
    root,
    home,
    cwd,
    config: env.CLAUDE_CONFIG_DIR,
    env,
    run,
    async stream(args, options) {
      const { stdout } = await run(['-p', '--output-format', 'stream-json', '--verbose', ...args], options);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Json);
    },
  };
}
