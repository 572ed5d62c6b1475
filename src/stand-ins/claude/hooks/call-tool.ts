import { toldRun } from '../../../claude-code/hooks/command.js';
import type { Hook, HookInput, HookRun, ToolHook } from '../../../claude-code/hooks/hook.js';
import { fillInput } from '../../../claude-code/hooks/mcp-tool.js';
import { isUnheard } from '../../../claude-code/hooks/unheard.js';
import type { Session } from '../session/session.js';

/** Runs a hook that calls a tool of an MCP server: the text of the result is what it says. */
export async function callTool(
  session: Session,
  hook: Hook,
  { server, tool, input }: ToolHook,
  payload: HookInput,
  signal: AbortSignal,
): Promise<HookRun> {
  const { event } = hook;
  if (event === 'SessionEnd') return failed(hook, `MCP server "${server}" is not connected`);
  if (isUnheard(event, 'mcp_tool'))
    return failed(hook, `mcp_tool hooks are not available for the '${event}' hook event (no MCP client context)`);
  const called = await session.mcp?.callForHook(server, tool, fillInput(input, payload), signal);
  if (called === undefined) return failed(hook, `MCP server '${server}' not connected`);
  const { text: stdout, problem } = called;
  if (problem !== undefined) return { ...failed(hook, problem), stdout, told: { output: stdout || problem } };
  const run = toldRun({ hook, stdout, stderr: '', exitCode: 0, outcome: 'success', durationMs: 0 });
  return run.hasWrongOutput ? { ...run, exitCode: 1 } : run;
}

function failed(hook: Hook, stderr: string): HookRun {
  return { hook, stdout: '', stderr, exitCode: 1, outcome: 'error', durationMs: 0, hasWrongOutput: true };
}
