import type { ToolResult, ToolUse } from './reply.js';
import type { ScenarioDocument, ToolExecution } from './schema.js';

/** Whether a stand-in really runs its tools, as the real CLI does. A call with a result of its own is mocked in any case. */
export function runsTools({ tool_execution: execution }: ScenarioDocument): boolean {
  return execution?.mode !== 'mock';
}

/** The result of a mocked tool: the call's own `result` or `error`, or those that the scenario gives for the tool. */
export function mockToolResult(use: ToolUse, execution: ToolExecution | undefined): ToolResult {
  const configured = execution?.tools?.[use.tool];
  const error = use.error ?? (use.result === undefined ? configured?.error : undefined);
  if (error !== undefined) return { tool: use.tool, text: error, isError: true };
  return { tool: use.tool, text: asText(use.result ?? configured?.result), isError: false };
}

function asText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
