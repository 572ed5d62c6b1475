import { isObject, type JsonObject, textOrEmpty } from '@understudy/kit';
import { readAnswer } from '../../client/hook-question.js';
import { hookEventFacts } from './events.js';
import type { AskingHook, Hook, HookRun } from './hook.js';
import { readOutput } from './output.js';

/** An objection. `words` is the hook's own text; `reason` also names the hook. */
export interface Block {
  reason: string;
  words: string;
  /** Nobody has judged. */
  noVerdict?: NonNullable<HookRun['noVerdict']>;
}

/** What hooks may say of a permission: of several, the strictest counts. `defer` ends the turn and leaves the tool for later. */
const STRICTNESS = { allow: 0, ask: 1, defer: 2, deny: 3 };

function isPermission(word: unknown): word is keyof typeof STRICTNESS {
  return typeof word === 'string' && Object.hasOwn(STRICTNESS, word);
}

/** What a hook wants, by its exit code or in JSON. */
export interface HookVerdict {
  /** It objects. What that does depends on the event: see `exitTwo` in events.ts. */
  block?: Block;
  /** `"continue": false`: the turn ends here. */
  stop?: { reason: string };
  permission?: { decision: keyof typeof STRICTNESS; reason: string };
  updatedInput?: JsonObject;
  additionalContext?: string;
  systemMessage?: string;
  /** What is shown in place of what the agent says. */
  displayContent?: string;
  /** What the model reads in place of the result: of any tool, or of one of an MCP server. */
  updatedOutput?: { ofTool?: unknown; ofServer?: unknown };
  /** The prompt that it objects to is not repeated. */
  suppressesPrompt?: true;
  sessionTitle?: string;
  /** A prompt that comes before the first one. */
  firstPrompt?: string;
  /** Its refusal ends the turn. */
  interrupts?: true;
  /** Changes of the permissions that come with what it allows. */
  updatedPermissions?: readonly unknown[];
  /** The event cannot go on as it should: why. */
  fault?: string;
  /** It ran out of time, so it said nothing. */
  timedOut?: boolean;
}

/** A hook that has ended, with what its verdict depends on. */
export interface EndedHook extends Pick<HookRun, 'stdout' | 'stderr' | 'exitCode' | 'outcome' | 'answer'> {
  event: string;
  /** What it runs, as the CLI names it in a reason. */
  label: string;
  /** The id of the plugin that it comes from. */
  plugin?: string;
  /** It asked a model, which objects with exit code 2. */
  modelHook?: Pick<AskingHook, 'type' | 'continueOnBlock'>;
}

/** Reads the verdict of one run. */
export function interpretRun(run: HookRun): HookVerdict {
  const { hook, ...ended } = run;
  const plugin = hook.plugin === undefined ? {} : { plugin: hook.plugin.id };
  const modelHook = 'prompt' in hook.run ? { modelHook: hook.run } : {};
  const verdict = interpretHook({ ...ended, event: hook.event, label: filledLabel(hook), ...plugin, ...modelHook });
  const { noVerdict } = run;
  return verdict.block === undefined || noVerdict === undefined
    ? verdict
    : { ...verdict, block: { ...verdict.block, noVerdict } };
}

/** How a hook that asked a model ends: an objection is reported as that of a command, and so is an answer that is none. */
export function endByAnswer(event: string, text: string): Pick<HookRun, 'stdout' | 'stderr' | 'exitCode' | 'outcome'> {
  const answer = readAnswer(text);
  if ('problem' in answer) return { stdout: text, stderr: answer.problem, exitCode: 1, outcome: 'error' };
  // The agent need not go on for what it can never reach.
  const gaveUp = answer.impossible === true && hookEventFacts(event).goesOn === true;
  if (answer.ok || gaveUp) return { stdout: '', stderr: '', exitCode: 0, outcome: 'success' };
  return { stdout: '', stderr: answer.reason, exitCode: 2, outcome: 'error' };
}

/** The objection of a hook that asked a model: that of a prompt ends the turn. */
function interpretModelHook(ended: EndedHook, hook: NonNullable<EndedHook['modelHook']>): HookVerdict {
  const { event, exitCode, stderr: words } = ended;
  if (exitCode !== 2 || event === 'PermissionRequest') return {};
  const block = { reason: blockReason(ended), words };
  const isFinal = hook.type === 'prompt' && hook.continueOnBlock !== true;
  if (!isFinal || hookEventFacts(event).goesOn || event === 'PostToolUseFailure') return { block };
  const stop = { reason: words };
  return event === 'UserPromptSubmit' || event === 'UserPromptExpansion' ? { stop } : { block, stop };
}

/**
 * Reads a finished hook. JSON on stdout counts with every exit code, unless it is not as the CLI wants it. Exit code 2
 * objects in any case: with the reason of the JSON if that objects too, else with stderr. Any other exit code decides nothing.
 */
export function interpretHook(ended: EndedHook): HookVerdict {
  const { event, exitCode, stdout, outcome } = ended;
  if (outcome === 'cancelled') return { timedOut: true };
  if (ended.modelHook !== undefined) return interpretModelHook(ended, ended.modelHook);
  const facts = hookEventFacts(event);
  const { json, problem } = readOutput(event, stdout);
  if (problem?.isFailure) return exitCode === 2 && facts.exitTwo !== 'none' ? { block: unreadBlock(ended) } : {};
  const output = ended.answer ?? json;
  const said = isObject(output) ? interpretOutput(event, output) : {};
  if (exitCode === 2 && facts.exitTwo !== 'none' && !objects(said)) {
    const { permission, updatedInput, ...rest } = said;
    return { ...rest, block: { reason: blockReason(ended), words: ended.stderr.trim() } };
  }
  const text = stdout.trim();
  const isText = output === undefined && problem === undefined;
  const isContext = facts.stdoutIsContext === true && exitCode === 0 && isText && text !== '';
  return isContext ? { additionalContext: text } : said;
}

/** What it objects to with its exit code alone. */
function unreadBlock({ label }: EndedHook): Block {
  const words = 'blocked (exit 2); its output could not be processed';
  return { reason: `[${label}]: ${words}`, words };
}

function objects({ block, stop, permission }: HookVerdict): boolean {
  return block !== undefined || stop !== undefined || permission?.decision === 'deny';
}

/** Does this verdict keep something from happening? */
export function isBlocking(event: string, verdict: HookVerdict): boolean {
  const { stop, permission } = verdict;
  if (stop !== undefined || permission?.decision === 'deny' || permission?.decision === 'defer') return true;
  return verdict.block !== undefined && hookEventFacts(event).exitTwo === 'blocks';
}

function blockReason({ label, stderr, plugin, modelHook }: EndedHook): string {
  if (modelHook?.type === 'agent') return `Agent hook condition was not met: ${stderr}`;
  const said = `[${label}]: ${stderr.trim() === '' ? 'No stderr output' : stderr}`;
  if (plugin === undefined || modelHook !== undefined) return said;
  return `${said.trimEnd()}\n\nThis hook comes from the ${plugin} plugin.`;
}

/** How the CLI names a hook in its messages: by what it runs. */
export function hookLabel({ run }: Hook): string {
  switch (run.type) {
    case 'callback':
      return 'callback';
    case 'command':
      return run.command;
    case 'http':
      return run.url;
    case 'mcp_tool':
      return `${run.server}/${run.tool}`;
    default:
      return run.prompt;
  }
}

/** The same in an objection: there it has the folder of its plugin. */
export function filledLabel(hook: Hook): string {
  const label = hookLabel(hook);
  return hook.plugin === undefined ? label : label.replaceAll('${CLAUDE_PLUGIN_ROOT}', hook.plugin.root);
}

function interpretOutput(event: string, output: JsonObject): HookVerdict {
  const verdict: HookVerdict = {};
  const { decision } = output;
  const reason = textOrEmpty(output['reason']);
  if (output['continue'] === false) verdict.stop = { reason: textOrEmpty(output['stopReason']) };
  if (typeof output['systemMessage'] === 'string') verdict.systemMessage = output['systemMessage'];
  // PreToolUse has its own words for this; the old ones are still understood.
  if (event === 'PreToolUse' && decision === 'block') verdict.permission = { decision: 'deny', reason };
  else if (event === 'PreToolUse' && decision === 'approve') verdict.permission = { decision: 'allow', reason };
  else if (decision === 'block' && hookEventFacts(event).exitTwo !== 'none') verdict.block = { reason, words: reason };
  const specific = output['hookSpecificOutput'];
  if (isObject(specific)) interpretSpecific(event, specific, verdict);
  return verdict;
}

function interpretSpecific(event: string, specific: JsonObject, verdict: HookVerdict): void {
  const { permissionDecision, updatedInput, additionalContext, displayContent, decision } = specific;
  const reason = textOrEmpty(specific['permissionDecisionReason']);
  if (isPermission(permissionDecision)) verdict.permission = { decision: permissionDecision, reason };
  if (isObject(updatedInput)) verdict.updatedInput = updatedInput;
  if (typeof additionalContext === 'string' && additionalContext !== '') verdict.additionalContext = additionalContext;
  if (event === 'MessageDisplay' && typeof displayContent === 'string') verdict.displayContent = displayContent;
  Object.assign(verdict, rareFields(event, specific));
  if (event !== 'PermissionRequest' || !isObject(decision)) return;
  const { behavior, message, interrupt, updatedInput: input, updatedPermissions: permissions } = decision;
  if (behavior === 'allow' || behavior === 'deny') {
    verdict.permission = { decision: behavior, reason: textOrEmpty(message) };
  }
  if (isObject(input)) verdict.updatedInput = input;
  if (behavior === 'deny' && interrupt === true) verdict.interrupts = true;
  if (behavior === 'allow' && Array.isArray(permissions)) verdict.updatedPermissions = permissions;
}

function rareFields(event: string, specific: JsonObject): HookVerdict {
  const { updatedToolOutput: ofTool, updatedMCPToolOutput: ofServer } = specific;
  const { suppressOriginalPrompt, sessionTitle, initialUserMessage: firstPrompt } = specific;
  if (event === 'PostToolUse' && (ofTool ?? ofServer) !== undefined) return { updatedOutput: { ofTool, ofServer } };
  return {
    ...(suppressOriginalPrompt === true ? { suppressesPrompt: true } : {}),
    ...(typeof sessionTitle === 'string' ? { sessionTitle } : {}),
    ...(typeof firstPrompt === 'string' ? { firstPrompt } : {}),
  };
}

/** Joins the verdicts of several hooks of one event: the strictest permission, all of the context. */
export function combineVerdicts(verdicts: readonly HookVerdict[]): HookVerdict {
  const combined: HookVerdict = {};
  for (const verdict of verdicts) {
    // The last one counts for most things.
    const { block, stop, permission, additionalContext, ...rest } = verdict;
    Object.assign(combined, rest);
    if (block !== undefined) combined.block ??= block;
    if (stop !== undefined) combined.stop ??= stop;
    if (
      permission !== undefined &&
      STRICTNESS[permission.decision] >= STRICTNESS[combined.permission?.decision ?? 'allow']
    ) {
      combined.permission = permission;
    }
    if (additionalContext !== undefined) {
      combined.additionalContext = [combined.additionalContext, additionalContext].filter(Boolean).join('\n');
    }
  }
  return combined;
}
