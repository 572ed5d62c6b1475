import { isDisabled } from '../../../claude-code/permissions/rules.js';
import { isSubagentTool, TOOLS, TOOLS_ON_REQUEST, toolName } from '../../../claude-code/tools.js';
import type { JsonObject } from '../../../document/json.js';
import { endInOrderOnSignals } from '../../../process/child-groups.js';
import { fire } from '../hooks/fire-if-any.js';
import { obtainPermission, shownInput } from '../permissions/obtain.js';
import type { Session } from '../session/session.js';
import { checkParameters, type LiveTool, type ToolContext, ToolFailure, type ToolRun } from '../tools/live-tool.js';
import { liveTool } from '../tools/live-tools.js';
import { isScripted, type MockedUse, mockRun, toolSettings } from '../tools/mock.js';
import { failedOutcome, outcomeText, type ToolOutcome, toolUseError } from '../tools/tool-result.js';
import type { RequestedTool } from './speak.js';
import type { TurnRecord } from './turn-record.js';

/** Something that can do what a tool use asks for. */
interface Doer {
  how: ToolOutcome['how'];
  live?: LiveTool;
  run(input: JsonObject): Promise<ToolRun>;
}

/** One use of one tool, from the request to its result: input, hooks, permission, the tool, hooks again. */
export async function useTool(
  session: Session,
  turn: TurnRecord,
  use: RequestedTool,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  endInOrderOnSignals();
  const unavailable = whyUnavailable(session, use.name);
  if (unavailable !== undefined) return toolUseError(`Error: ${unavailable}`);
  const doer = await findDoer(session, turn, use, signal);
  if (doer === undefined) return toolUseError(`Error: No such tool available: ${use.name}`);
  const wrong = doer.live === undefined ? undefined : checkInput(use, doer.live, toolContext(session, signal));
  if (wrong !== undefined) return wrong;
  const about = {
    tool_name: toolName(use.name),
    tool_input: shownInput(use.name, use.input, session),
    tool_use_id: use.id,
  };
  const before = await fire(session, 'PreToolUse', about, signal);
  const mocked = doer.how === 'mock';
  const obtained = await obtainPermission({ session, turn, use, hooks: before, mocked, signal });
  const outcome = obtained.allowed
    ? { ...(await doIt(session, use, doer, obtained.input, signal)), permission: obtained.permission }
    : obtained.outcome;
  return before.stop === undefined ? outcome : { ...outcome, stop: true };
}

/** Runs the tool, and lets the hooks look at what came of it. */
async function doIt(
  session: Session,
  use: RequestedTool,
  doer: Doer,
  input: JsonObject,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const started = Date.now();
  const about = { tool_name: toolName(use.name), tool_input: shownInput(use.name, input, session) };
  try {
    const { content, useResult, saysNoError, companions, linesAdded = 0, linesRemoved = 0 } = await doer.run(input);
    const duration = Date.now() - started;
    session.toolMs += duration;
    session.linesAdded += linesAdded;
    session.linesRemoved += linesRemoved;
    const after = await fire(
      session,
      'PostToolUse',
      { ...about, tool_response: useResult, tool_use_id: use.id, duration_ms: duration },
      signal,
    );
    const outcome: ToolOutcome = {
      content,
      isError: false,
      useResult,
      how: doer.how,
      ...(saysNoError === true ? { saysNoError } : {}),
      ...(companions === undefined ? {} : { companions }),
    };
    return after.stop === undefined ? outcome : { ...outcome, stop: true };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const fields = {
      ...about,
      tool_use_id: use.id,
      error: error.message,
      is_interrupt: false,
      duration_ms: Date.now() - started,
    };
    const after = await fire(session, 'PostToolUseFailure', fields, signal);
    const outcome = failedOutcome(error.message, doer.how);
    return after.stop === undefined ? outcome : { ...outcome, stop: true };
  }
}

function whyUnavailable(session: Session, name: string): string | undefined {
  const { tools } = session.parts.options;
  const builtIn = TOOLS.includes(name) || TOOLS_ON_REQUEST.includes(name);
  const left = tools !== undefined && builtIn && !tools.includes(name) && tools[0] !== 'default';
  if (!left && !isDisabled(name, session.parts.rules)) return undefined;
  return `No such tool available: ${name}. ${name} is disabled for this session, in subagents as well as here.`;
}

/** Who does it: the scenario's own words, an MCP server, a subagent, the live tool, or a plain mock. */
async function findDoer(
  session: Session,
  turn: TurnRecord,
  use: RequestedTool,
  signal: AbortSignal,
): Promise<Doer | undefined> {
  const { tool_execution: execution } = session.parts.script.scenario.document;
  const live = execution?.mode === 'live';
  const mock: MockedUse = {
    name: use.name,
    input: use.input,
    settings: toolSettings(execution, use.name),
    ...(use.result === undefined ? {} : { result: use.result }),
    ...(use.error === undefined ? {} : { error: use.error }),
  };
  const mocking: Doer = { how: 'mock', run: async () => mockRun(mock) };
  if (isScripted(mock)) return mocking;
  if (use.name === 'StructuredOutput') return structured(session, turn);
  const { mcp } = session;
  if (mcp?.has(use.name)) return { how: 'mcp', run: (input) => mcp.call(use.name, input, signal) };
  if (isSubagentTool(use.name)) {
    const { runSubagent } = await import('./subagent.js');
    return { how: 'subagent', run: (input) => runSubagent(session, turn, { ...use, input }, signal) };
  }
  if (!live) return mocking;
  const tool =
    use.name === 'Skill' ? (await import('../tools/skill-tool.js')).skillTool(session) : await liveTool(use.name);
  if (tool === undefined) return TOOLS.includes(use.name) ? notPlayed(use.name) : undefined;
  return { how: 'live', live: tool, run: (input) => tool.run(input, toolContext(session, signal)) };
}

/** A tool of the real CLI that has no live counterpart here: it can be asked for, and then says so. */
function notPlayed(name: string): Doer {
  return {
    how: 'invalid',
    async run() {
      throw new ToolFailure(`The stand-in does not run ${name}. Give the call a result in the scenario.`);
    },
  };
}

/** The tool with which the agent hands over data in the form that `--json-schema` asks for. */
function structured(session: Session, turn: TurnRecord): Doer | undefined {
  const { jsonSchema } = session.parts.options;
  if (jsonSchema === undefined) return undefined;
  return {
    how: 'live',
    async run(input) {
      const { findSchemaProblem } = await import('./json-schema.js');
      const problem = findSchemaProblem(JSON.parse(jsonSchema), input);
      if (problem !== undefined) throw new ToolFailure(`Output does not match required schema: ${problem}`);
      turn.structuredOutput = input;
      return {
        content: 'Structured output provided successfully',
        useResult: 'Structured output provided successfully',
      };
    },
  };
}

function checkInput(use: RequestedTool, tool: LiveTool, context: ToolContext): ToolOutcome | undefined {
  const invalid = checkParameters(use.name, tool, use.input);
  if (invalid !== undefined) return toolUseError(invalid, invalid);
  const wrong = tool.check?.(use.input, context);
  return wrong === undefined ? undefined : toolUseError(wrong);
}

function toolContext(session: Session, signal: AbortSignal): ToolContext {
  const { cwd, directories, paths } = session.parts;
  return {
    cwd,
    directories,
    env: session.childEnvironment(),
    sessionId: session.id,
    configDir: paths.dir,
    seenFiles: session.seenFiles,
    signal,
  };
}

/** What the engine of the scenario is told of a tool use. */
export function toolResultFor(
  use: RequestedTool,
  outcome: ToolOutcome,
): { tool: string; text: string; isError: boolean } {
  return { tool: use.name, text: outcomeText(outcome), isError: outcome.isError };
}
