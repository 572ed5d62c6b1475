import { resolve } from 'node:path';
import type { LiveResult } from '../shared/tools/plain-tools.js';
import type { Workspace } from './workspace.js';

/** A tool's result that is an error for Gemini CLI. */
export class ToolError extends Error {
  readonly shown: string;
  readonly type: string;

  constructor(type: string, told: string, shown: string = told) {
    super(told);
    this.type = type;
    this.shown = shown;
  }
}

/** What a tool reports to the model, and to its user. */
export type ToolReport = Pick<LiveResult, 'text' | 'shown' | 'lines'>;

/** Runs a tool; without `shown`, its user sees nothing of the result. */
export function attempt(work: () => ToolReport): LiveResult {
  try {
    return { isError: false, shown: undefined, ...work() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { text: error.message, isError: true, shown: error.shown, errorType: error.type };
  }
}

/** The whole path of what a tool was called with. */
export function insideWorkspace(given: string, workspace: Workspace): string {
  const path = resolve(workspace.root, given);
  const problem = workspace.problemOf(path);
  if (problem === undefined) return path;
  throw new ToolError('invalid_tool_params', problem);
}
