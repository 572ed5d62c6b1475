import { isObject, type JsonObject, parseJson } from '../../document/json.js';
import type { Hook, HookEvent, HookRun } from './hook.js';

/** An objection. The words are the hook's own; the reason also says whose they are. */
export interface Block {
  reason: string;
  words: string;
}

/** What a hook wants, whichever way it said so: by its exit code or in JSON. */
export interface HookVerdict {
  /** It blocks what was about to happen; for Stop, it makes the agent go on. */
  block?: Block;
  /** `"continue": false`: the turn ends here. */
  stop?: { reason: string };
  permission?: { decision: 'allow' | 'deny' | 'ask'; reason: string };
  updatedInput?: JsonObject;
  additionalContext?: string;
  systemMessage?: string;
  /** It ran out of time, and so has said nothing. */
  timedOut?: boolean;
}

/** Exit 2 of these is shown to the user, and stops nothing. */
const CANNOT_BLOCK = new Set<HookEvent>([
  'SessionStart',
  'SessionEnd',
  'Notification',
  'SubagentStart',
  'PostCompact',
  'PermissionRequest',
  'StopFailure',
]);

/** Reads a finished hook. Exit 2 blocks with stderr as the reason; exit 1 and others do not block. */
export function interpretHook(run: HookRun): HookVerdict {
  const { event } = run.hook;
  if (run.outcome === 'cancelled') return { timedOut: true };
  if (run.exitCode === 2) {
    return CANNOT_BLOCK.has(event) ? {} : { block: { reason: blockReason(run), words: run.stderr.trim() } };
  }
  if (run.exitCode !== 0) return {};
  const output = run.answer ?? parseOutput(run.stdout);
  if (isObject(output)) return interpretOutput(event, output);
  // Plain text of these two is context for the model.
  const text = run.stdout.trim();
  return (event === 'SessionStart' || event === 'UserPromptSubmit') && text !== '' ? { additionalContext: text } : {};
}

/** Who objects and why; of a plugin's hook, also whose it is. */
function blockReason({ hook, stderr }: HookRun): string {
  const label = `[${hookLabel(hook)}]: `;
  if (hook.plugin === undefined) return label + stderr;
  return `${label}${stderr.trimEnd()}\n\nThis hook comes from the ${hook.plugin.name}@inline plugin.`;
}

/** How the CLI names a hook in its messages: by what it runs. */
export function hookLabel({ run }: Hook): string {
  return run.type === 'command' ? run.command : 'callback';
}

function parseOutput(stdout: string): unknown {
  const text = stdout.trim();
  return text.startsWith('{') ? parseJson(text) : undefined;
}

function interpretOutput(event: HookEvent, output: JsonObject): HookVerdict {
  const verdict: HookVerdict = {};
  const reason = textOf(output['reason']);
  if (output['continue'] === false) verdict.stop = { reason: textOf(output['stopReason']) };
  if (typeof output['systemMessage'] === 'string') verdict.systemMessage = output['systemMessage'];
  if (event === 'PreToolUse' && output['decision'] === 'block') verdict.permission = { decision: 'deny', reason };
  else if (event === 'PreToolUse' && output['decision'] === 'approve')
    verdict.permission = { decision: 'allow', reason };
  else if (output['decision'] === 'block') verdict.block = { reason, words: reason };
  const specific = output['hookSpecificOutput'];
  if (isObject(specific)) interpretSpecific(event, specific, verdict);
  return verdict;
}

function interpretSpecific(event: HookEvent, specific: JsonObject, verdict: HookVerdict): void {
  const { permissionDecision, updatedInput, additionalContext, decision } = specific;
  const reason = textOf(specific['permissionDecisionReason']);
  if (permissionDecision === 'allow' || permissionDecision === 'deny' || permissionDecision === 'ask') {
    verdict.permission = { decision: permissionDecision, reason };
  }
  if (isObject(updatedInput)) verdict.updatedInput = updatedInput;
  if (typeof additionalContext === 'string') verdict.additionalContext = additionalContext;
  if (event !== 'PermissionRequest' || !isObject(decision)) return;
  if (decision['behavior'] === 'allow' || decision['behavior'] === 'deny') {
    verdict.permission = { decision: decision['behavior'], reason: textOf(decision['message']) };
  }
  if (isObject(decision['updatedInput'])) verdict.updatedInput = decision['updatedInput'];
}

/** Several hooks of one event come to one verdict: the strictest permission, all of the context. */
export function combineVerdicts(verdicts: readonly HookVerdict[]): HookVerdict {
  const combined: HookVerdict = {};
  const strictness = { allow: 0, ask: 1, deny: 2 };
  for (const verdict of verdicts) {
    const { block, stop, permission } = verdict;
    if (block !== undefined) combined.block ??= block;
    if (stop !== undefined) combined.stop ??= stop;
    if (
      permission !== undefined &&
      strictness[permission.decision] >= strictness[combined.permission?.decision ?? 'allow']
    ) {
      combined.permission = permission;
    }
    if (verdict.updatedInput !== undefined) combined.updatedInput = verdict.updatedInput;
    if (verdict.systemMessage !== undefined) combined.systemMessage = verdict.systemMessage;
    if (verdict.timedOut === true) combined.timedOut = true;
    if (verdict.additionalContext !== undefined) {
      combined.additionalContext = [combined.additionalContext, verdict.additionalContext].filter(Boolean).join('\n');
    }
  }
  return combined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
