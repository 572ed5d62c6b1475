import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LoopEvent } from '../../packages/suites/src/ralph/loop/events.js';
import type { LoopRecord } from '../../packages/suites/src/ralph/loop/iteration-log.js';
import { type RunResult, runUnderstudy } from './understudy.js';

type Of<T extends LoopRecord['type']> = Extract<LoopRecord, { type: T }>;

/** What a loop has left in its files. */
export interface LoopFacts {
  result: RunResult;
  events: LoopEvent[];
  starts: Of<'iteration_start'>[];
  ends: Of<'iteration_end'>[];
  end: Of<'end'> | undefined;
}

/** A folder with the given files, for one test. Files without an extension are made executable. */
export function loopWorkspace(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-loop-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    if (!/\.\w+$/.test(name)) chmodSync(join(root, name), 0o755);
  }
  return root;
}

/** Runs the loop in a folder, and reads its facts. */
export async function runLoopIn(
  root: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<LoopFacts> {
  // Agents leave their sessions in the home folder.
  const HOME = loopWorkspace({});
  const result = await runUnderstudy(['orchestrator', 'loop', 'run', ...args], { cwd: root, env: { HOME, ...env } });
  return { result, ...readLoopFacts(root) };
}

export function readLoopFacts(root: string): Omit<LoopFacts, 'result'> {
  const records = readJsonLines<LoopRecord>(root, '.ralph/current-iterations');
  const of = <T extends LoopRecord['type']>(type: T) =>
    records.filter((record): record is Of<T> => record.type === type);
  return {
    events: readJsonLines<LoopEvent>(root, '.ralph/current-events'),
    starts: of('iteration_start'),
    ends: of('iteration_end'),
    end: of('end')[0],
  };
}

function readJsonLines<T>(root: string, pointer: string): T[] {
  if (!existsSync(join(root, pointer))) return [];
  const file = join(root, readFileSync(join(root, pointer), 'utf8').trim());
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
