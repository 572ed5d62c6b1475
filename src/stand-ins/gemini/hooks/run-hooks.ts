import { isObject, type JsonObject } from '../../../document/json.js';
import { runWithInput } from '../../../process/run-with-input.js';
import { compileRegex } from '../../../scenario/linear-regex.js';
import { quotedWord } from '../commands/inject-shell.js';
import { NotSupported } from '../options.js';
import { type HookOutput, type HookVerdict, mergeOutputs, readOutput } from './hook-output.js';
import type { Hook, HookEvent } from './read-hooks.js';

/** What every hook of a session is told. */
export interface HookPlace {
  session: string;
  /** The file with the record of the session. */
  transcript: string;
  cwd: string;
  /** Where plans are. */
  plans: string;
  env: NodeJS.ProcessEnv;
  /** Tells the user something on stderr. */
  warn(line: string): void;
}

interface EndedHook {
  hook: Hook;
  output: HookOutput | undefined;
  succeeded: boolean;
  error: string | undefined;
  durationMs: number;
}

/** Runs the hooks of a session. */
export class HookRunner {
  readonly #hooks: readonly Hook[];
  readonly #place: HookPlace;

  constructor(hooks: readonly Hook[], place: HookPlace) {
    this.#hooks = hooks;
    this.#place = place;
  }

  has(event: HookEvent, subject: string): boolean {
    return this.#hooks.some((hook) => hook.event === event && matches(hook.matcher, event, subject));
  }

  /** Runs the hooks of an event; `subject` is what matchers look at: the tool, or why a session begins or ends. */
  async fire(event: HookEvent, fields: JsonObject, subject?: string): Promise<HookVerdict | undefined> {
    const hooks = this.#hooks
      .filter((hook) => hook.event === event && matches(hook.matcher, event, subject))
      .filter(({ key }, at, all) => all.findIndex((other) => other.key === key) === at);
    if (hooks.length === 0) return undefined;
    const { session, transcript, cwd, warn } = this.#place;
    const base = { session_id: session, transcript_path: transcript, cwd, hook_event_name: event };
    const input = { ...base, timestamp: new Date().toISOString(), ...fields };
    const ended = hooks.some(({ sequential }) => sequential)
      ? await this.#runInOrder(hooks, input)
      : await Promise.all(hooks.map((hook) => this.#run(hook, input)));
    const verdict = mergeOutputs(ended.flatMap(({ output }) => (output === undefined ? [] : [output])));
    if (verdict?.systemMessage !== undefined && !verdict.isSilent)
      warn(`Hook system message: ${verdict.systemMessage}`);
    this.#tellFailures(event, ended);
    return verdict;
  }

  async #runInOrder(hooks: readonly Hook[], first: JsonObject): Promise<EndedHook[]> {
    const ended: EndedHook[] = [];
    let input = first;
    for (const hook of hooks) {
      const run = await this.#run(hook, input);
      ended.push(run);
      if (run.succeeded) input = withOutput(hook.event, input, run.output);
    }
    return ended;
  }

  async #run(hook: Hook, input: JsonObject): Promise<EndedHook> {
    const { session, cwd, plans, env } = this.#place;
    const values = {
      GEMINI_PROJECT_DIR: cwd,
      GEMINI_CWD: cwd,
      GEMINI_PLANS_DIR: plans,
      GEMINI_SESSION_ID: session,
      CLAUDE_PROJECT_DIR: cwd,
    };
    const line = Object.entries(values).reduce(
      (text, [name, value]) => text.replaceAll(`$${name}`, () => quotedWord(value)),
      hook.command,
    );
    const { stdout, stderr, exitCode, cancelled, durationMs } = await runWithInput({
      command: { program: 'bash', args: ['-c', line] },
      input: JSON.stringify(input),
      ...{ cwd, env: { ...env, ...values, ...hook.env }, timeoutMs: hook.timeoutMs },
    });
    if (cancelled) {
      const error = `Hook timed out after ${hook.timeoutMs}ms`;
      return { hook, output: undefined, succeeded: false, error, durationMs };
    }
    const output = readOutput(stdout, stderr, exitCode);
    return { hook, output, succeeded: exitCode === 0, error: undefined, durationMs };
  }

  #tellFailures(event: HookEvent, ended: readonly EndedHook[]): void {
    const { warn } = this.#place;
    const failed = ended.filter(({ succeeded }) => !succeeded);
    if (failed.length > 0) {
      const names = failed.map(({ hook }) => hook.name).join(', ');
      const total = ended.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const counts = `${ended.length - failed.length} succeeded, ${failed.length} failed (${names})`;
      warn(`Hook execution for ${event}: ${counts}, total duration: ${total}ms`);
      const told = `Hook(s) [${names}] failed for event ${event}. Press F12 to see the debug drawer for more details.\n`;
      warn(told);
      // Around the conversation itself, it is told twice.
      if (event !== 'SessionStart' && event !== 'SessionEnd') warn(`[WARNING] ${told}`);
    }
    for (const { error } of ended) if (error !== undefined) warn(`Hook execution error: ${error}`);
  }
}

/** A matcher is a pattern for tools, and a word for all else. */
function matches(matcher: string, event: HookEvent, subject: string | undefined): boolean {
  if (matcher === '' || matcher === '*' || subject === undefined) return true;
  if (event !== 'BeforeTool' && event !== 'AfterTool') return matcher === subject;
  try {
    new RegExp(matcher);
  } catch {
    return matcher === subject;
  }
  const pattern = compileRegex(matcher);
  if ('refused' in pattern) throw new NotSupported(`the matcher ${matcher}: ${pattern.refused}`);
  return pattern.test(subject);
}

/** What the next hook hears after one in a sequence. */
function withOutput(event: HookEvent, input: JsonObject, output: HookOutput | undefined): JsonObject {
  const specific = isObject(output?.['hookSpecificOutput']) ? output['hookSpecificOutput'] : {};
  const { additionalContext, tool_input } = specific;
  if (event === 'BeforeAgent' && typeof additionalContext === 'string')
    return { ...input, prompt: `${String(input['prompt'])}\n\n${additionalContext}` };
  if (event === 'BeforeTool' && isObject(tool_input) && isObject(input['tool_input']))
    return { ...input, tool_input: { ...input['tool_input'], ...tool_input } };
  return input;
}
