import { type CliError, toolName } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { RequestedTool } from './requested-tool.js';

/** Who decided that a tool may or may not run, in the form of `tool_result_meta`. */
export interface PermissionNote {
  decision: 'accept' | 'reject';
  source: 'config' | 'hook' | 'user_temporary' | 'user_reject';
  reason_type?: string;
}

/** The outcome of one tool use. */
export interface ToolOutcome {
  content: string | JsonObject[];
  isError: boolean;
  saysNoError?: boolean;
  useResult: unknown;
  permission?: PermissionNote;
  /** Why it did not run. */
  nonExecution?: 'user-rejected' | 'permission-rule' | 'automode-unavailable';
  /** How it was answered, for the log. */
  how: 'live' | 'mock' | 'mcp' | 'subagent' | 'denied' | 'invalid';
  /** Messages that the CLI adds after the result, with the role `user`. */
  companions?: (string | JsonObject[])[];
  /** What a server said beside its answer. */
  serverMeta?: JsonObject;
  /** A hook wants the turn to end. */
  stop?: boolean;
  /** A hook has left the tool for later: it has no result, and the turn ends. */
  isDeferred?: true;
  /** The CLI ends with it. */
  fatal?: CliError;
  /** The host wants the turn to end. */
  interrupt?: boolean;
  /** The user has stopped it while it ran. */
  isStopped?: true;
}

/** An error that the CLI finds before the tool runs. */
export function toolUseError(message: string, useResult = `Error: ${message.replace(/^Error: /, '')}`): ToolOutcome {
  return { content: `<tool_use_error>${message}</tool_use_error>`, isError: true, useResult, how: 'invalid' };
}

/** An error of the tool itself. */
export function failedOutcome(message: string, how: ToolOutcome['how']): ToolOutcome {
  return { content: message, isError: true, useResult: `Error: ${message}`, how };
}

/** The outcome of a tool that was left for later, with what the model reads in its place. */
export function deferTool(session: Session, { id, name }: RequestedTool, input: JsonObject): ToolOutcome {
  const attachment = {
    type: 'hook_deferred_tool',
    ...{ toolUseID: id, toolName: toolName(name), toolInput: input },
    ...{ hookName: 'settings', hookEvent: 'PreToolUse', permissionMode: session.mode },
  };
  const timestamp = session.parts.clock.timestamp();
  session.out.write([...session.atWork.hookLinesOfTool.splice(0), { type: 'attachment', attachment, timestamp }]);
  const content = '[Tool result missing due to internal error]';
  return { content, isError: true, useResult: undefined, how: 'denied', isDeferred: true };
}

/** The result as text. */
export function outcomeText({ content }: ToolOutcome): string {
  return textOf(content);
}

/** The result of a tool use for the scenario's conditions. */
export function toolResultFor(
  use: RequestedTool,
  outcome: ToolOutcome,
): { tool: string; text: string; isError: boolean } {
  return { tool: use.name, text: outcomeText(outcome), isError: outcome.isError };
}

/** The messages that the CLI adds after the result. */
export function companionTexts({ companions = [] }: ToolOutcome): string[] {
  return companions.map(textOf);
}

function textOf(content: string | JsonObject[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (typeof block['text'] === 'string' ? block['text'] : '')).join('\n');
}

/** Sends a tool's result: to the stream, to the transcript and to the record of the turn. */
export function sendToolResult(
  session: Session,
  turn: TurnRecord,
  use: RequestedTool,
  outcome: ToolOutcome,
  parentToolUseId: string | null,
): void {
  const { content, isError, useResult, permission, nonExecution, serverMeta } = outcome;
  const block = isError
    ? { type: 'tool_result', content, is_error: true, tool_use_id: use.id }
    : {
        tool_use_id: use.id,
        type: 'tool_result',
        content,
        ...(outcome.saysNoError === true ? { is_error: false } : {}),
      };
  const meta = {
    id: use.id,
    ...defined({ non_execution_kind: nonExecution, permission_decision: permission }),
  };
  session.out.write(session.atWork.hookLinesOfTool);
  session.atWork.hookLinesOfTool = [];
  // A host receives only what the model reads of the results of a subagent's tools.
  const saysMore = parentToolUseId === null || isError || use.name === 'Skill';
  // When the user stops a subagent, a host receives the call that has started it.
  const isReported = outcome.isStopped !== true || parentToolUseId === null;
  session.out.user([block], {
    parentToolUseId,
    event: isReported
      ? {
          ...(saysMore
            ? { tool_use_result: serverMeta === undefined ? useResult : { content: useResult, ...serverMeta } }
            : {}),
          ...session.out.signature(),
          ...(permission === undefined && nonExecution === undefined ? {} : { tool_result_meta: [meta] }),
        }
      : undefined,
    line: saysMore ? { toolUseResult: useResult } : {},
  });
  turn.tools.push({ name: use.name, input: use.input, is_error: isError, how: outcome.how });
  turn.userLines += 1 + (outcome.companions?.length ?? 0);
  // What hooks say about a skill comes before its text.
  session.out.writeHookLinesOfResult();
  for (const said of outcome.companions ?? []) session.out.meta(said);
}

/** Emits the line that a tool was not allowed. */
export function emitDenied(
  session: Session,
  use: RequestedTool,
  why: { message: string; reasonType?: string; reasonCode?: string; reason?: string },
): void {
  // This is not sent for a subagent that is only reported when it has ended.
  if (session.out.held !== undefined) return;
  session.out.system('permission_denied', {
    tool_name: toolName(use.name),
    tool_use_id: use.id,
    ...defined({
      agent_id: session.subagent?.agent_id,
      decision_reason_type: why.reasonType,
      decision_reason_code: why.reasonCode,
      decision_reason: why.reason,
    }),
    message: why.message,
  });
}
