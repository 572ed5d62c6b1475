import type { CodexProcess } from '../../packages/stand-ins/src/codex/process.js';
import type { GeminiProcess } from '../../packages/stand-ins/src/gemini/main.js';
import type { OpencodeProcess } from '../../packages/stand-ins/src/opencode/main.js';
import type { ModelStep } from '../../packages/suites/src/drift/case.js';

/** One process: a command line for a real CLI on the scripted model, and for its stand-in on the same scenario. */
export interface ScriptedRun {
  /** `{session}` is the session of the first run, `/ROOT` the scratch folder. */
  args: readonly string[];
  /** What the model says: a list of messages for each prompt. */
  turns?: readonly (readonly ModelStep[])[];
  stdin?: string;
  env?: Record<string, string>;
  /** The folder below the project to start in. */
  folder?: string;
}

/** A case of `cases/NAME/*.yaml`, in the words of those of Claude Code. */
export interface ScriptedCase extends ScriptedRun {
  name: string;
  /** Earlier processes of the same home and project. */
  before?: readonly ScriptedRun[];
  /** Files of the project; those that begin with `HOME/` are the user's, and continue those that the stage has. */
  files?: Record<string, string>;
  /** The project is a git repository. */
  git?: true | 'with a commit';
  /** Only the exit code is compared, because the texts are each its own. */
  onlyCode?: true;
  /** Files that the runs write, whose content is compared. */
  written?: readonly string[];
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
  agent: 'codex' | 'gemini' | 'opencode';
  /** Its stand-in, in this process: a start costs more than a run. Other tests start the bundle. */
  standIn(process: CodexProcess & GeminiProcess & OpencodeProcess): Promise<number>;
  sessionId(stdout: string): string | undefined;
  stdout(text: string): unknown;
  stderr(text: string): string[];
  session(home: string): unknown[];
  /** It names files by the minute: a case must not begin in one and end in the next. */
  namesByMinute?: true;
}

/** What each message costs: estimates would differ where texts have paths in them. */
const usage = { input_tokens: 1000, output_tokens: 500, cache_read_input_tokens: 200 };

/** The scenario of all processes of a case: a rule for each prompt, with what it is answered one time after the other. */
export function scenarioOf(test: ScriptedCase): object {
  const runs = [...(test.before ?? []), test];
  const byPrompt = new Map<string, (readonly ModelStep[])[]>();
  for (const { args, stdin, turns = [] } of runs) {
    const prompt = runs.length === 1 ? '' : (stdin?.trim() ?? args.at(-1) ?? '');
    if (turns.length > 0) byPrompt.set(prompt, [...(byPrompt.get(prompt) ?? []), ...turns]);
  }
  const responses = [...byPrompt].map(([prompt, turns]) => {
    const pattern = prompt === '' ? { type: 'any' } : { type: 'contains', text: prompt };
    const [first = {}, ...later] = turns.map(responseOf);
    return { pattern, ...first, turns: later.map((turn) => ({ expect: pattern, ...turn })) };
  });
  // Something that no prompt is.
  const nothing = [{ pattern: { type: 'exact', text: 'a' }, response: 'b' }];
  return { tool_execution: { mode: 'live' }, responses: responses.length === 0 ? nothing : responses };
}

/** The messages of a turn, each behind the tools of the one before. */
function responseOf([step, ...later]: readonly ModelStep[]): object {
  const { fail, say, thinking, tools } = step ?? {};
  if (fail !== undefined) return { failure: fail, ...(later.length === 0 ? {} : responseOf(later)) };
  const next = later.length === 0 ? {} : { then: (responseOf(later) as { response: object }).response };
  return {
    response: {
      ...(say === undefined ? {} : { text: say }),
      ...(thinking === undefined ? {} : { thinking }),
      ...(tools === undefined ? {} : { tool_calls: tools }),
      ...{ usage, ...next },
    },
  };
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
