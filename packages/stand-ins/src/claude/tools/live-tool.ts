import type { JsonObject } from '@understudy/kit';
import { recordUnsupported } from '../../shared/record-call.js';
import { USE_REAL } from '../refused.js';

/** The files that an agent has seen, each as it was then. */
export interface FilesSeen {
  /** The agent sees the file as it is now: all of it or a part. It receives changes of what is watched. */
  see(path: string, how: { whole: boolean; watched: boolean }): void;
  has(path: string): boolean;
  /** Whether the agent knows all that is in the file. */
  knows(path: string): boolean;
  /** Whether the file has changed behind the back of the agent. */
  isStale(path: string): boolean;
}

/** What a tool needs to know about the session that uses it. */
export interface ToolContext {
  /** Where the shell is, and what paths are relative to. */
  cwd: string;
  /** Where the session began. */
  project: string;
  /** A command has changed the folder of the shell. */
  moveTo(folder: string): void;
  env: NodeJS.ProcessEnv;
  /** What the shell does before each command. */
  prelude: string;
  directories: readonly string[];
  /** Files that the agent has seen. */
  seenFiles: FilesSeen;
  /** The model is an older one, which must read a file before it changes it. */
  mustRead: boolean;
  signal: AbortSignal;
  /** Commands may go on in the background. */
  hasBackground: boolean;
}

/** The result of a tool. */
export interface ToolRun {
  /** The result for the model: a text, or blocks. */
  content: string | JsonObject[];
  /** `tool_use_result`: the same as data. */
  useResult: unknown;
  /** Whether the result has `is_error: false`. */
  saysNoError?: boolean;
  /** Messages that the CLI adds after the result, with the role `user`. */
  companions?: (string | JsonObject[])[];
  /** What a server said beside its answer. */
  serverMeta?: JsonObject;
  /** The shell has gone to another folder. */
  hasMoved?: boolean;
}

export interface Parameter {
  type: 'string' | 'number' | 'int' | 'boolean' | 'array' | 'record';
  required?: true;
}

/** A tool that really runs. */
export interface LiveTool {
  /** Its parameters. */
  parameters: Record<string, Parameter>;
  /** What the CLI makes of an input in another form, before anybody sees it. */
  repair?(input: JsonObject): JsonObject;
  /** A problem with the input. It is checked before the permission. */
  check?(input: JsonObject, context: ToolContext): string | undefined;
  run(input: JsonObject, context: ToolContext): Promise<ToolRun>;
}

/** The tool failed. The message is the result for the model. */
export class ToolFailure extends Error {}

/** Stops at what the real CLI does and the stand-in does not. */
export function refuse(message: string): never {
  recordUnsupported(message);
  throw new ToolFailure(`${message} ${USE_REAL}`);
}

/** What the model reads of an error: of a tool, or of the system below it. A fault of ours is nothing for the model. */
export function failureOf(error: unknown): string | undefined {
  const isForModel = error instanceof ToolFailure || (error instanceof Error && 'syscall' in error);
  return isForModel ? error.message : undefined;
}

/** Checks the input against the parameters. The error is that of the real CLI. */
export function checkParameters(name: string, { parameters }: LiveTool, input: JsonObject): string | undefined {
  const required = Object.keys(parameters).filter((parameter) => parameters[parameter]?.required === true);
  const issues = [
    ...required
      .filter((parameter) => input[parameter] === undefined)
      .map((parameter) => `The required parameter \`${parameter}\` is missing`),
    ...Object.keys(input)
      .filter((parameter) => parameters[parameter] === undefined)
      .map((parameter) => `An unexpected parameter \`${parameter}\` was provided`),
    ...Object.entries(parameters).flatMap(([parameter, expected]) => checkType(parameter, expected, input[parameter])),
  ];
  if (issues.length === 0) return undefined;
  const noun = issues.length === 1 ? 'issue' : 'issues';
  return `InputValidationError: ${name} failed due to the following ${noun}:\n${issues.join('\n')}`;
}

function checkType(parameter: string, { type }: Parameter, value: unknown): string[] {
  if (value === undefined) return [];
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const isWhole = type === 'int' && Number.isInteger(value);
  if (!isWhole && actual !== (type === 'record' ? 'object' : type))
    return [`The parameter \`${parameter}\` type is expected as \`${type}\` but provided as \`${actual}\``];
  return [];
}

export function text(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === 'string' ? value : '';
}

export function number(input: JsonObject, name: string): number | undefined {
  const value = input[name];
  return typeof value === 'number' ? value : undefined;
}

export const CHANGED_SINCE_READ =
  'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.';

/** Why an agent may not change a file that is there. */
export function unreadFile(path: string, { seenFiles, mustRead }: ToolContext): string | undefined {
  if (!mustRead || seenFiles.has(path)) return undefined;
  return 'File has not been read yet. Read it first before writing to it.';
}

export function missingFile(cwd: string): string {
  return `File does not exist. Note: your current working directory is ${cwd}.`;
}
