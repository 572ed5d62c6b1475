import type { CodexProcess } from '../../src/stand-ins/codex/process.js';
import type { GeminiProcess } from '../../src/stand-ins/gemini/main.js';

/** Command lines for a real CLI on the scripted model, and for its stand-in on the same scenario. */
export interface ScriptedCase {
  name: string;
  /** One process after the other, in one home and project. `{session}` is the session of the first, `/ROOT` the scratch folder. */
  runs: readonly ScriptedRun[];
  scenario: object;
  /** Files of the project. */
  files?: Record<string, string>;
  /** Files of the home folder; those that the stage has are continued. */
  home?: Record<string, string>;
  /** The project is a git repository. */
  git?: true | 'with a commit';
  /** Only the exit code is compared, because the texts are each its own. */
  onlyCode?: true;
  /** Files that the runs write, whose content is compared. */
  written?: readonly string[];
}

export interface ScriptedRun {
  args: readonly string[];
  input?: string;
  env?: Record<string, string>;
  /** The folder below the project to start in. */
  folder?: string;
}

/** What a CLI or its stand-in did, without what differs from run to run. */
export interface ScriptedObservation {
  runs: { code: number | null; stdout: unknown; stderr: string[] }[];
  /** The record of the session, as far as others read it. */
  session: unknown[];
  files: Record<string, string | null>;
}

/** What is special about one CLI. */
export interface ScriptedCli {
  agent: 'codex' | 'gemini';
  /** Its stand-in, in this process: a start costs more than a run. Other tests start the bundle. */
  standIn(process: CodexProcess & GeminiProcess): Promise<number>;
  sessionId(stdout: string): string | undefined;
  stdout(text: string): unknown;
  stderr(text: string): string[];
  session(home: string): unknown[];
  /** It names files by the minute: a case must not begin in one and end in the next. */
  namesByMinute?: true;
}

/** Every place where two values differ, as `path: one became the other`. */
export function differencesOf(real: unknown, standIn: unknown, path = ''): string[] {
  if (JSON.stringify(real) === JSON.stringify(standIn)) return [];
  if (isRecord(real) && isRecord(standIn)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(standIn)])];
    return keys.flatMap((key) => differencesOf(real[key], standIn[key], path === '' ? key : `${path}.${key}`));
  }
  if (Array.isArray(real) && Array.isArray(standIn)) {
    const longer = real.length > standIn.length ? real : standIn;
    return longer.flatMap((_, index) => differencesOf(real[index], standIn[index], `${path}[${index}]`));
  }
  if (standIn === undefined) return [`${path}: is missing (${JSON.stringify(real)})`];
  if (real === undefined) return [`${path}: is added (${JSON.stringify(standIn)})`];
  return [`${path}: ${JSON.stringify(real)} became ${JSON.stringify(standIn)}`];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
