import {
  ASKING_TOOLS,
  CliError,
  type Decision,
  decide,
  deniedFile,
  deniedInBackground,
  fullPath,
  type HookVerdict,
  invalidAnswer,
  nobodyToAsk,
  type PermissionAnswer,
  type PermissionUpdate,
  REJECTED_TOOL_USE,
  readPermissionAnswer,
  suggest,
  toolName,
} from '@understudy/agents';
import { defined, type JsonObject, parseJson } from '@understudy/kit';
import { recordUnsupported } from '../../shared/record-call.js';
import { fire } from '../hooks/fire-if-any.js';
import { HostError } from '../output/host.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { failureOf, ToolFailure } from '../tools/live-tool.js';
import { toolSettings } from '../tools/mock.js';
import { changePermissions } from './change-permissions.js';
import { hostQuestion } from './host-question.js';
import { warnOfMissingCheck } from './missing-check.js';
import type { RequestedTool } from './requested-tool.js';
import { emitDenied, failedOutcome, type PermissionNote, type ToolOutcome, toolUseError } from './tool-result.js';

export type PermissionResult =
  | { allowed: true; input: JsonObject; permission: PermissionNote }
  | { allowed: false; outcome: ToolOutcome };

export interface PermissionQuestion {
  session: Session;
  turn: TurnRecord;
  use: RequestedTool;
  /** The verdict of the PreToolUse hooks. */
  hooks: HookVerdict;
  /** The tool is mocked, so nothing really runs. It is allowed when nobody can be asked. */
  mocked: boolean;
  signal: AbortSignal;
}

/** Decides whether a tool may run: by hooks, then by rules and mode, then by asking the host. */
export async function obtainPermission(question: PermissionQuestion): Promise<PermissionResult> {
  const { session, use, hooks } = question;
  const { permission: hookSays } = hooks;
  const input = hooks.updatedInput ?? use.input;
  const denial = denialByHook(question, input);
  if (denial !== undefined) {
    return refuse(question, input, denial, 'permission-rule', {
      decision: 'reject',
      source: 'hook',
      reason_type: 'hook',
    });
  }
  const decision = decide(use.name, input, session.permissionContext());
  if (ASKING_TOOLS.has(use.name) && decision.behavior !== 'deny')
    return ask(question, input, { behavior: 'ask', message: '' });
  const isUnchecked = decision.reasonType === 'classifier';
  if (decision.behavior === 'deny' && !isUnchecked) return refuseByRule(question, input, decision);
  if (hookSays?.decision === 'allow' && !isUnchecked) {
    return { allowed: true, input, permission: { decision: 'accept', source: 'hook', reason_type: 'hook' } };
  }
  if (hookSays?.decision === 'ask') return ask(question, input, askForHook(question, hookSays.reason, input));
  if (decision.undecided !== undefined) return refuseUndecided(question, input, decision.undecided);
  if (isUnchecked) return refuseUnchecked(question, input, decision);
  if (decision.behavior === 'allow') return { allowed: true, input, permission: accepted(decision) };
  return ask(question, input, decision);
}

/** What is mocked runs nothing that could need approval. */
function refuseUndecided(question: PermissionQuestion, input: JsonObject, message: string): PermissionResult {
  if (question.mocked) return { allowed: true, input, permission: { decision: 'accept', source: 'config' } };
  recordUnsupported(message);
  return refuse(question, input, message, 'user-rejected', { decision: 'reject', source: 'config' });
}

/** What the model reads when a hook does not allow a tool. */
function denialByHook(question: PermissionQuestion, input: JsonObject): string | undefined {
  const { use, hooks } = question;
  const hook = `PreToolUse:${toolName(use.name)}`;
  if (hooks.block !== undefined) return `${hook} hook error: ${hooks.block.reason}`;
  if (hooks.permission?.decision !== 'deny') return undefined;
  const { reason } = hooks.permission;
  if (isCompleted(question, input)) return reason === '' ? `Hook ${hook} denied this tool` : reason;
  return `${hook} hook error: ${reason === '' ? 'Blocked by hook' : reason}`;
}

function askForHook(question: PermissionQuestion, reason: string, input: JsonObject): Decision {
  const hook = `PreToolUse:${toolName(question.use.name)}`;
  if (reason !== '') return { behavior: 'ask', message: reason, reasonType: 'hook', reason };
  const message = `Hook ${hook} asked for confirmation for this tool`;
  return { behavior: 'ask', message, reasonType: 'hook', ...(isCompleted(question, input) ? {} : { reason }) };
}

/** The CLI has completed the path for the hook, and treats the call as one that the hook has changed. */
function isCompleted({ session, use }: PermissionQuestion, input: JsonObject): boolean {
  return withFullPath(use.name, input, session)['file_path'] !== input['file_path'];
}

async function ask(question: PermissionQuestion, input: JsonObject, decision: Decision): Promise<PermissionResult> {
  const { session, use, mocked } = question;
  const approval = approvalOf(session, use);
  if (approval === true) return { allowed: true, input, permission: accepted(decision) };
  const hasHost = session.parts.options.permissionPromptTool === 'stdio';
  const suggestions = ASKING_TOOLS.has(use.name)
    ? undefined
    : suggest(use.name, input, decision, session.permissionContext(), hasHost);
  // A question of another hook is for a person.
  const isForPerson = decision.reasonType === 'hook' && !hasHost;
  const decided = isForPerson ? undefined : await askHooks(question, input, suggestions);
  if (decided !== undefined) return decided;
  if (session.parts.options.permissionPromptTool !== undefined) return askHost(question, input, decision, suggestions);
  // A scenario that gives a tool a result expects it to run.
  if (mocked && approval !== false && decision.reasonType !== 'hook' && decision.reasonType !== 'rule') {
    return { allowed: true, input, permission: { decision: 'accept', source: 'config' } };
  }
  const inBackground = session.subagent?.inBackground === true;
  if (session.parts.options.noPermissionPrompts || inBackground) {
    const why = inBackground ? deniedInBackground(toolName(use.name)) : nobodyToAsk(decision.message, decision.reason);
    emitDenied(session, use, why);
    return refuse(question, input, why.message, 'permission-rule', {
      decision: 'reject',
      source: 'config',
      reason_type: why.reasonType,
    });
  }
  emitDenied(session, use, decision);
  return refuse(question, input, decision.message, 'user-rejected', {
    decision: 'reject',
    source: 'config',
  });
}

/** What PermissionRequest hooks decide, if they do. */
async function askHooks(
  question: PermissionQuestion,
  input: JsonObject,
  suggestions: PermissionUpdate[] | undefined,
): Promise<PermissionResult | undefined> {
  const { session, use, signal } = question;
  const about = { tool_name: toolName(use.name), tool_input: withFullPath(use.name, input, session) };
  const request = { ...about, ...defined({ permission_suggestions: suggestions }) };
  const verdict = await fire(session, 'PermissionRequest', request, signal);
  const { permission, updatedInput, interrupts, updatedPermissions } = verdict;
  const byHook = { source: 'hook', reason_type: 'hook' } as const;
  if (permission?.decision === 'allow') {
    changePermissions(session, updatedPermissions);
    return { allowed: true, input: updatedInput ?? input, permission: { decision: 'accept', ...byHook } };
  }
  if (permission?.decision !== 'deny') return undefined;
  const { reason } = permission;
  emitDenied(session, use, { message: reason, reasonType: 'hook', reason });
  if (interrupts) return rejectAll(question, about.tool_input);
  return refuse(question, input, reason, 'permission-rule', { decision: 'reject', ...byHook });
}

/** What the scenario says about the permission of a tool. */
function approvalOf({ parts }: Session, { name }: RequestedTool): boolean | undefined {
  return toolSettings(parts.script.scenario.document.tool_execution, name)?.auto_approve;
}

/** The API does not check the action: nobody is asked, and a hook that allows it does not help. */
async function refuseUnchecked(
  question: PermissionQuestion,
  input: JsonObject,
  decision: Decision,
): Promise<PermissionResult> {
  const { session, use, mocked, signal } = question;
  const approval = approvalOf(session, use);
  if (approval ?? mocked) return { allowed: true, input, permission: { decision: 'accept', source: 'config' } };
  warnOfMissingCheck(session);
  emitDenied(session, use, { ...decision, reasonCode: 'auto_mode_no_check_in_session' });
  const about = {
    tool_name: toolName(use.name),
    tool_input: input,
    tool_use_id: use.id,
    reason: decision.reason ?? '',
  };
  await fire(session, 'PermissionDenied', about, signal);
  return refuse(question, input, decision.message, 'automode-unavailable', {
    decision: 'reject',
    source: 'config',
    reason_type: 'classifier',
  });
}

async function askHost(
  question: PermissionQuestion,
  input: JsonObject,
  decision: Decision,
  suggestions: PermissionUpdate[] | undefined,
): Promise<PermissionResult> {
  const { session, use, signal } = question;
  const { permissionPromptTool } = session.parts.options;
  if (permissionPromptTool === 'stdio' && session.parts.host === undefined) return refuseUnanswered(question, input);
  const shown = withFullPath(use.name, input, session);
  const asked = hostQuestion(session, use, shown, decision, suggestions);
  let answer: PermissionAnswer | undefined;
  try {
    answer = await askPermissionTool(session, asked, signal);
  } catch (error) {
    return refuseFailed(question, input, error);
  }
  if (answer === undefined) {
    const whose = permissionPromptTool === 'stdio' ? 'canUseTool callback' : 'permission prompt tool';
    return refuse(question, input, invalidAnswer(whose), 'permission-rule', BY_NOBODY);
  }
  if (answer.behavior === 'allow') {
    const { updatedInput } = answer;
    changePermissions(session, answer.updatedPermissions);
    const changed =
      updatedInput !== undefined &&
      Object.keys(updatedInput).length > 0 &&
      JSON.stringify(updatedInput) !== JSON.stringify(shown);
    return {
      allowed: true,
      input: changed ? updatedInput : input,
      permission: { decision: 'accept', source: 'user_temporary' },
    };
  }
  if (answer.interrupt === true) return rejectAll(question, shown);
  return refuse(question, input, answer.message, 'permission-rule', { decision: 'reject', source: 'user_reject' });
}

/** A refusal that ends the turn. */
function rejectAll({ turn, use }: PermissionQuestion, input: JsonObject): PermissionResult {
  turn.denials.push(denial(use, input));
  return {
    allowed: false,
    outcome: {
      content: REJECTED_TOOL_USE,
      isError: true,
      useResult: 'User rejected tool use',
      nonExecution: 'user-rejected',
      how: 'denied',
      interrupt: true,
    },
  };
}

const BY_NOBODY: PermissionNote = { decision: 'reject', source: 'config', reason_type: 'other' };

/** Without a living session the host cannot answer. */
function refuseUnanswered(question: PermissionQuestion, input: JsonObject): PermissionResult {
  const message = 'Tool permission request failed: AbortError: Stream closed';
  return refuse(question, input, message, 'permission-rule', BY_NOBODY);
}

/** Who was asked has failed. Another error is thrown again. */
function refuseFailed(question: PermissionQuestion, input: JsonObject, error: unknown): PermissionResult {
  if (error instanceof HostError) {
    if (question.session.parts.host?.isClosed) return refuseUnanswered(question, input);
    const message = `Tool permission request failed: Error: ${error.message}`;
    return refuse(question, input, message, 'permission-rule', BY_NOBODY);
  }
  const fatal = error instanceof CliError ? error : undefined;
  const failure = fatal?.message ?? failureOf(error);
  if (failure === undefined) throw error;
  const message = `Error calling tool (${question.use.name}): ${failure}`;
  return { allowed: false, outcome: { ...toolUseError(message, message), ...defined({ fatal }) } };
}

/** Asks what `--permission-prompt-tool` names: the host over the control channel, or an MCP tool. */
async function askPermissionTool(
  session: Session,
  request: JsonObject,
  signal: AbortSignal,
): Promise<PermissionAnswer | undefined> {
  const { permissionPromptTool } = session.parts.options;
  if (permissionPromptTool === 'stdio')
    return readPermissionAnswer(await session.parts.host?.ask({ subtype: 'can_use_tool', ...request }, signal));
  const { tool_name, input, tool_use_id } = request;
  const name = permissionPromptTool ?? '';
  if (!session.mcp?.has(name)) throw noSuchTool(session, name);
  const run = await session.mcp.call(name, { tool_name, input, tool_use_id }, String(tool_use_id), signal);
  const [content] = run.content;
  if (content === undefined) throw new ToolFailure(NO_TEXT);
  const { text } = content;
  return readPermissionAnswer(typeof text === 'string' ? parseJson(text) : undefined);
}

function noSuchTool({ mcp }: Session, name: string): CliError {
  const others = mcp?.toolNames() ?? [];
  const available = others.length === 0 ? 'none' : others.join(', ');
  return new CliError(
    `Error: MCP tool ${name} (passed via --permission-prompt-tool) not found. Available MCP tools: ${available}`,
  );
}

const NO_TEXT =
  'Permission prompt tool returned an invalid result. Expected a single text block param with type="text" and a string text value.';

function refuse(
  question: PermissionQuestion,
  input: JsonObject,
  message: string,
  nonExecution: NonNullable<ToolOutcome['nonExecution']>,
  permission: PermissionNote,
): Extract<PermissionResult, { allowed: false }> {
  const { session, turn, use } = question;
  turn.denials.push(denial(use, withFullPath(use.name, input, session)));
  return { allowed: false, outcome: { ...failedOutcome(message, 'denied'), nonExecution, permission } };
}

/** A rule keeps the file from the tool. Nobody is asked, and no hook sees it. */
export function refuseFile(session: Session, turn: TurnRecord, use: RequestedTool): ToolOutcome | undefined {
  const message = deniedFile(use.name, use.input, session.permissionContext());
  if (message === undefined) return undefined;
  turn.denials.push(denial(use, withFullPath(use.name, use.input, session)));
  const permission: PermissionNote = { decision: 'reject', source: 'user_reject', reason_type: 'rule' };
  return { ...toolUseError(message), permission, how: 'denied' };
}

function refuseByRule(question: PermissionQuestion, input: JsonObject, decision: Decision): PermissionResult {
  const { session, use } = question;
  const permission: PermissionNote = {
    decision: 'reject',
    source: 'config',
    ...defined({ reason_type: decision.reasonType }),
  };
  emitDenied(session, use, decision);
  return refuse(question, input, decision.message, 'permission-rule', permission);
}

function accepted({ reasonType }: Decision): PermissionNote {
  return { decision: 'accept', source: 'config', ...defined({ reason_type: reasonType }) };
}

function denial(use: RequestedTool, input: JsonObject): JsonObject {
  return { tool_name: use.name, tool_use_id: use.id, tool_input: input };
}

/** The input with the absolute path of its file, as hooks and the host see it. */
export function withFullPath(tool: string, input: JsonObject, session: Session): JsonObject {
  const name = tool === 'NotebookEdit' ? 'notebook_path' : 'file_path';
  const file = input[name];
  if (typeof file !== 'string' || tool.startsWith('mcp__')) return input;
  return { ...input, [name]: fullPath(session.folder, file) };
}
