import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import type { TurnOptions } from '../../shared/play-turn.js';
import type { LiveResult } from '../../shared/tools/plain-tools.js';
import { NotSupported } from '../options.js';
import { AgentHooks, type AgentView } from './agent-hooks.js';
import type { HookVerdict } from './hook-output.js';
import { readHooks } from './read-hooks.js';
import { type HookPlace, HookRunner } from './run-hooks.js';
import { tellNewHooks } from './trusted-hooks.js';

/** What settings say of hooks. */
export interface HookSettings {
  /** Those of all files, by event. */
  all: JsonObject;
  /** Those of the project. */
  project: JsonObject;
  disabled: readonly string[];
}

export interface ToolFacts {
  /** What is wrong with a call before anybody is asked. */
  problemOf(name: string, input: JsonObject): LiveResult | undefined;
  /** Where a tool of an MCP server comes from. */
  serverOf(name: string): JsonObject | undefined;
}

/** The hooks of a run. */
export class SessionHooks {
  readonly #runner: HookRunner;
  readonly #tools: ToolFacts;
  readonly #flush: () => void;

  constructor({ all, project, disabled }: HookSettings, home: string, place: HookPlace, tools: ToolFacts) {
    // Until the first words are shown, all else waits.
    const waiting: string[] = [];
    let isOpen = false;
    const warn = (line: string): void => {
      if (isOpen) place.warn(line);
      else waiting.push(line);
    };
    this.#flush = () => {
      isOpen = true;
      for (const line of waiting.splice(0)) place.warn(line);
    };
    const { cwd } = place;
    if (Object.keys(project).length > 0) tellNewHooks(home, cwd, project, warn);
    this.#runner = new HookRunner(readHooks(all, { disabled, source: 'project', warn }), { ...place, warn });
    this.#tools = tools;
  }

  /** A session begins or goes on: what comes before the prompt. Its words are shown before all else. */
  async onStart(source: 'startup' | 'resume', show: (words: string) => void): Promise<string | undefined> {
    const verdict = await this.#runner.fire('SessionStart', { source }, source);
    show(verdict?.systemMessage === undefined ? '' : `${verdict.systemMessage}\n`);
    this.#flush();
    return verdict?.context === undefined ? undefined : `<hook_context>${verdict.context}</hook_context>`;
  }

  /** The hooks around the agent; its prompt is all texts in one. */
  forPrompt(parts: readonly object[], view: AgentView): AgentHooks {
    const text = parts.map((part) => ('text' in part ? String(part.text) : '')).join('');
    return new AgentHooks(this, view, text);
  }

  async onEnd(): Promise<void> {
    await this.#runner.fire('SessionEnd', { reason: 'exit' }, 'exit');
  }

  readonly beforeRequest = async (): Promise<void> => {
    await this.#runner.fire('PreCompress', { trigger: 'auto' }, 'auto');
  };

  async beforeAgent(prompt: string): Promise<HookVerdict | undefined> {
    return await this.#runner.fire('BeforeAgent', { prompt });
  }

  async afterAgent(prompt: string, response: string, stop_hook_active: boolean): Promise<HookVerdict | undefined> {
    const verdict = await this.#runner.fire('AfterAgent', { prompt, prompt_response: response, stop_hook_active });
    if (verdict?.specific['clearContext'] === true) throw new NotSupported('clearContext of a hook');
    return verdict;
  }

  readonly aroundTool: NonNullable<TurnOptions['aroundTool']> = async ({ name, input }, run) => {
    const wrong = this.#tools.problemOf(name, input);
    if (wrong !== undefined) return { input, result: wrong };
    const context = defined({ mcp_context: this.#tools.serverOf(name) });
    const before = await this.#runner.fire('BeforeTool', { tool_name: name, tool_input: input, ...context }, name);
    const refusal = refusalOf(before);
    if (refusal !== undefined) return { input, result: refusal };
    if (before?.asked) throw new NotSupported('a hook that wants somebody to be asked');
    const changed = before?.specific['tool_input'];
    const used = isObject(changed) ? changed : input;
    const result = await run(used);
    const note = isObject(changed) ? MODIFIED : '';
    // What was refused has not run.
    if (result.errorType !== undefined && NOT_RUN.has(result.errorType)) return { input: used, result };
    const fields = { tool_name: name, tool_input: used };
    const after = this.#runner.has('AfterTool', name)
      ? await this.#runner.fire('AfterTool', { ...fields, tool_response: responseOf(name, result), ...context }, name)
      : undefined;
    return { input: used, result: withText(afterTool(result, after), note) };
  };
}

const MODIFIED = '\n\n[System] Tool input parameters were modified by a hook before execution.';

const NOT_RUN = new Set(['policy_violation', 'unhandled_exception']);

function refusalOf(verdict: HookVerdict | undefined): LiveResult | undefined {
  if (verdict?.stopped !== undefined)
    return { ...stopped(`Agent execution stopped by hook: ${verdict.stopped}`), refused: true };
  if (verdict?.blocked === undefined) return undefined;
  const text = `Tool execution blocked: ${verdict.blocked}`;
  return { text, isError: true, shown: text, errorType: 'policy_violation' };
}

function stopped(text: string): LiveResult {
  return { text, isError: true, shown: text, errorType: 'stop_execution', stops: text };
}

/** What hooks hear of a result. */
function responseOf(name: string, result: LiveResult): JsonObject {
  const { text, isError, errorType, shell, parts } = result;
  const returnDisplay = 'shown' in result ? result.shown : text;
  if (!isError || shell !== undefined) return { llmContent: parts ?? text, ...defined({ returnDisplay }) };
  const error = { message: text, type: errorType };
  if (errorType === 'mcp_tool_error') return { llmContent: text, returnDisplay, error };
  if (name !== 'read_file' || errorType !== 'file_not_found')
    throw new NotSupported(`a hook of AfterTool after ${name} has failed (${errorType})`);
  const llmContent = 'Could not read file because no file was found at the specified path.';
  return { llmContent, returnDisplay, error };
}

function afterTool(result: LiveResult, verdict: HookVerdict | undefined): LiveResult {
  if (verdict === undefined) return result;
  const { stopped: why, blocked, context, specific } = verdict;
  if (why !== undefined) return { ...stopped(why), shown: `Agent execution stopped by hook: ${why}` };
  if (blocked !== undefined)
    return { text: blocked, isError: true, shown: `Tool result blocked: ${blocked}`, errorType: 'execution_failed' };
  if (isObject(specific['tailToolCallRequest'])) throw new NotSupported('tailToolCallRequest of a hook');
  if (context === undefined) return result;
  return withText(result, `\n\n<hook_context>${context}</hook_context>`);
}

/** A result with more for the model behind it. */
function withText(result: LiveResult, more: string): LiveResult {
  if (more === '' || (result.isError && result.shell === undefined)) return result;
  if (result.parts === undefined) return { ...result, text: `${result.text}${more}` };
  return { ...result, text: `${result.text}\n${more}`, parts: [...result.parts, { text: more }] };
}
