import { findSkill, isOlderModel, isSubagentTool, TO_DO_TOOLS, TOOLS_WITH_A_HOST, toolName } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import { runsTools } from '@understudy/script';
import { recordUnsupported } from '../../shared/record-call.js';
import { milliseconds } from '../../shared/stopwatch.js';
import { fire } from '../hooks/fire-if-any.js';
import { USE_REAL } from '../refused.js';
import { allowsBackground } from '../session/background-tasks.js';
import { linesOfEnvFiles } from '../session/env-files.js';
import type { Session } from '../session/session.js';
import { isToDoTool, toDoTools } from '../session/to-do-tools.js';
import type { TurnRecord } from '../session/turn-record.js';
import { unplayedHooks } from '../session/unsupported.js';
import {
  checkParameters,
  failureOf,
  type LiveTool,
  type ToolContext,
  ToolFailure,
  type ToolRun,
} from '../tools/live-tool.js';
import { liveTool } from '../tools/live-tools.js';
import { isScripted, type MockedUse, mockRun, toolSettings } from '../tools/mock.js';
import { askUser } from './ask-user.js';
import { obtainPermission, refuseFile, withFullPath } from './permission.js';
import type { RequestedTool } from './requested-tool.js';
import { readServerResult } from './server-result.js';
import { skillTool } from './skill-tool.js';
import { deferTool, failedOutcome, type ToolOutcome, toolUseError } from './tool-result.js';
import { disabledReason, isOurs, unavailableReason } from './unavailable.js';
import { shownOutput } from './updated-output.js';

/** What one use of a tool needs from the turn that it belongs to. */
export interface ToolUseContext {
  session: Session;
  turn: TurnRecord;
  signal: AbortSignal;
  /** Plays a subagent to its end. The turn gives it, because a subagent is a conversation of its own. */
  runSubagent(use: RequestedTool): Promise<ToolRun>;
}

/** Runs what a tool use asks for. */
interface ToolExecutor {
  how: ToolOutcome['how'];
  live?: LiveTool;
  execute(input: JsonObject): Promise<ToolRun>;
}

/** One use of one tool, from the request to its result: input, hooks, permission, the tool, hooks again. */
export async function useTool(context: ToolUseContext, requested: RequestedTool): Promise<ToolOutcome> {
  const run = await prepareTool(context, requested);
  return run();
}

/** The first half of it, up to the permission. Gives the second half, or what it has led to already. */
export async function prepareTool(
  context: ToolUseContext,
  requested: RequestedTool,
): Promise<() => Promise<ToolOutcome>> {
  const { session, turn, signal } = context;
  const executor = await findExecutor(context, requested);
  if ('isError' in executor) return async () => executor;
  const use = repaired(requested, executor.live);
  const invalid = checkInput(context, use, executor.live);
  if (invalid !== undefined) return async () => invalid;
  const about = {
    tool_name: toolName(use.name),
    tool_input: withFullPath(use.name, use.input, session),
    tool_use_id: use.id,
  };
  const before = await fire(session, 'PreToolUse', about, signal);
  const { fault, stop, permission, block } = before;
  if (fault !== undefined) return async () => failedOutcome(fault, 'denied');
  if (permission?.decision === 'defer' && block === undefined)
    return async () => deferTool(session, use, about.tool_input);
  const mocked = executor.how === 'mock';
  const obtained = await obtainPermission({ session, turn, use, hooks: before, mocked, signal });
  const run = async (): Promise<ToolOutcome> =>
    obtained.allowed
      ? { ...(await execute(context, use, executor, obtained.input)), permission: obtained.permission }
      : obtained.outcome;
  return stop === undefined ? run : async () => ({ ...(await run()), stop: true });
}

/** Tools that work with a file, for which there may be instructions. */
const TOUCHING: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write']);

/** Runs the tool, and fires the hooks that see its result. */
async function execute(
  { session, signal }: ToolUseContext,
  use: RequestedTool,
  executor: ToolExecutor,
  input: JsonObject,
): Promise<ToolOutcome> {
  const started = milliseconds();
  const about = { tool_name: toolName(use.name), tool_input: withFullPath(use.name, input, session) };
  const from = session.folder;
  if (executor.how === 'live') {
    if (use.name === 'Bash') session.shell.hasRun = true;
    if (TOUCHING.has(use.name)) session.atWork.touched.push(String(about.tool_input['file_path']));
  }
  try {
    const run = await executor.execute(input);
    const { useResult, saysNoError, companions } = run;
    const duration = milliseconds() - started;
    const after = await fire(
      session,
      'PostToolUse',
      { ...about, tool_response: useResult, tool_use_id: use.id, duration_ms: duration },
      signal,
    );
    const moved = { old_cwd: from, new_cwd: session.folder };
    if (run.hasMoved && moved.new_cwd !== from && watchesFolder(session))
      await fire(session, 'CwdChanged', moved, signal);
    const shown = after.updatedOutput === undefined ? run : shownOutput(use, run, after);
    const outcome: ToolOutcome = {
      content: shown.content,
      isError: false,
      useResult: shown.useResult,
      how: executor.how,
      ...(saysNoError === true ? { saysNoError } : {}),
      ...defined({ companions, serverMeta: run.serverMeta }),
    };
    return after.stop === undefined ? outcome : { ...outcome, stop: true };
  } catch (error) {
    const message = failureOf(error);
    if (message === undefined) throw error;
    const fields = {
      ...about,
      tool_use_id: use.id,
      error: message,
      is_interrupt: false,
      duration_ms: milliseconds() - started,
    };
    // It cannot end the turn: the real CLI goes on even with `"continue": false`.
    await fire(session, 'PostToolUseFailure', fields, signal);
    return failedOutcome(message, executor.how);
  }
}

/** What runs a tool, or why nothing does. */
async function findExecutor(context: ToolUseContext, use: RequestedTool): Promise<ToolExecutor | ToolOutcome> {
  const unavailable = unavailableReason(context.session, use.name);
  if (unavailable !== undefined) return toolUseError(`Error: ${unavailable}`);
  const executor = await chooseExecutor(context, use);
  if (executor !== undefined) return executor;
  const isOff = isToDoTool(context.session, use.name) || TOOLS_WITH_A_HOST.includes(use.name);
  return toolUseError(`Error: ${isOff ? disabledReason(use.name) : `No such tool available: ${use.name}`}`);
}

/** The scenario's own result, an MCP server, a subagent, the live tool, or a plain mock. */
async function chooseExecutor(context: ToolUseContext, use: RequestedTool): Promise<ToolExecutor | undefined> {
  const { session, turn, signal } = context;
  const { document } = session.parts.script.scenario;
  const mock: MockedUse = {
    name: use.name,
    input: use.input,
    settings: toolSettings(document.tool_execution, use.name),
    ...defined({ result: use.result, error: use.error }),
  };
  const mocking: ToolExecutor = { how: 'mock', execute: async () => mockRun(mock) };
  if (isScripted(mock)) return mocking;
  if (use.name === 'StructuredOutput') return structuredOutput(session, turn);
  const { mcp } = session;
  if (mcp?.has(use.name))
    return {
      how: 'mcp',
      execute: async (input) => readServerResult(session, use.name, await mcp.call(use.name, input, use.id, signal)),
    };
  if (isSubagentTool(use.name)) return { how: 'subagent', execute: (input) => context.runSubagent({ ...use, input }) };
  if (!runsTools(document)) return mocking;
  if (TO_DO_TOOLS.includes(use.name) && !toDoTools(session).includes(use.name)) return undefined;
  if (TOOLS_WITH_A_HOST.includes(use.name) && session.parts.options.permissionPromptTool === undefined)
    return undefined;
  const found = await findLiveTool(context, use);
  if (found === undefined)
    return isOurs(session, use.name) || [...TO_DO_TOOLS, ...TOOLS_WITH_A_HOST].includes(use.name)
      ? unsupported(`The stand-in does not run ${use.name}.`, GIVE_RESULT)
      : undefined;
  const unplayed = use.name === 'Skill' ? unplayedSkill(session, use.input) : undefined;
  if (unplayed !== undefined) return unsupported(unplayed);
  return { how: 'live', live: found, execute: (input) => found.run(input, toolContext(session, signal)) };
}

/** The CLI looks at its folder where settings or a host want to know: hooks of plugins alone never receive it. */
function watchesFolder({ hooks }: Session): boolean {
  return hooks.some(({ event, plugin }) => event === 'CwdChanged' && plugin === undefined);
}

/** Some tools know the session. */
async function findLiveTool({ session }: ToolUseContext, { name }: RequestedTool): Promise<LiveTool | undefined> {
  if (name === 'Skill') return skillTool(session);
  if (name === 'AskUserQuestion') return askUser;
  return liveTool(name);
}

const GIVE_RESULT = 'Give the call a result in the scenario.';

function unplayedSkill(session: Session, { skill }: JsonObject): string | undefined {
  const called = findSkill(session.parts.commands, String(skill ?? ''));
  return called && unplayedHooks(session, called);
}

/** What the real CLI does with a tool and the stand-in cannot: using it is an error with a way out. */
function unsupported(message: string, otherwise?: string): ToolExecutor {
  return {
    how: 'invalid',
    async execute() {
      recordUnsupported(otherwise === undefined ? message : `${message} ${otherwise}`);
      throw new ToolFailure(`${message} ${otherwise ?? USE_REAL}`);
    },
  };
}

/** The tool with which the agent returns data in the form that `--json-schema` asks for. */
function structuredOutput(session: Session, turn: TurnRecord): ToolExecutor | undefined {
  const { jsonSchema } = session.parts.options;
  if (jsonSchema === undefined) return undefined;
  return {
    how: 'live',
    async execute(input) {
      const { compileValueSchema } = await import('@understudy/script');
      const [problem] = compileValueSchema(JSON.parse(jsonSchema))(input);
      if (problem !== undefined)
        throw new ToolFailure(`Output does not match required schema: ${problem.path || 'root'}: ${problem.message}`);
      turn.structuredOutput = input;
      return {
        content: 'Structured output provided successfully',
        useResult: 'Structured output provided successfully',
      };
    },
  };
}

/** The input is checked first for its form, then against the rules about files, then by the tool. */
function checkInput(context: ToolUseContext, use: RequestedTool, tool: LiveTool | undefined): ToolOutcome | undefined {
  const { session, turn } = context;
  return (tool && checkForm(use, tool)) ?? refuseFile(session, turn, use) ?? checkByTool(context, use, tool);
}

function repaired(use: RequestedTool, tool: LiveTool | undefined): RequestedTool {
  return tool?.repair === undefined ? use : { ...use, input: tool.repair(use.input) };
}

function checkForm({ name, input }: RequestedTool, tool: LiveTool): ToolOutcome | undefined {
  const invalid = checkParameters(name, tool, input);
  return invalid === undefined ? undefined : toolUseError(invalid, invalid);
}

function checkByTool(
  { session, signal }: ToolUseContext,
  { name, input }: RequestedTool,
  tool: LiveTool | undefined,
): ToolOutcome | undefined {
  try {
    const problem = tool?.check?.(input, toolContext(session, signal));
    return problem === undefined ? undefined : toolUseError(problem);
  } catch (error) {
    const message = failureOf(error);
    if (message === undefined) throw error;
    return toolUseError(`Error calling tool (${name}): ${message}`);
  }
}

/** What a tool of this session works with. */
export function toolContext(session: Session, signal: AbortSignal): ToolContext {
  const { cwd: project, directories } = session.parts;
  return {
    cwd: session.folder,
    project,
    // Each command of a subagent begins where the session is.
    moveTo: (folder) => session.subagent === undefined && session.moveTo(folder),
    directories,
    env: session.childEnvironment('shell', session.effort),
    prelude: linesOfEnvFiles(session),
    seenFiles: (session.subagent ?? session.conversation).seenFiles,
    mustRead: isOlderModel(session.usedModel),
    signal,
    hasBackground: allowsBackground(session),
  };
}
