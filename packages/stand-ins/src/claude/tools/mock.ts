import { isObject, type JsonObject } from '@understudy/kit';
import { genericFor, type ScenarioDocument } from '@understudy/script';
import { ToolFailure, type ToolRun } from './live-tool.js';

type Execution = ScenarioDocument['tool_execution'];
type ToolSettings = NonNullable<NonNullable<Execution>['tools']>[string];

export interface MockedUse {
  name: string;
  input: JsonObject;
  /** The result or error of this call in the scenario. */
  result?: unknown;
  error?: string;
  /** The scenario's settings of the tool. */
  settings: ToolSettings | undefined;
}

/** The scenario's settings of a tool, by its own or its generic name. */
export function toolSettings(execution: Execution, tool: string): ToolSettings | undefined {
  const all = execution?.tools ?? {};
  const generic = genericFor(tool);
  const alias = generic === undefined ? undefined : Object.keys(all).find((name) => genericFor(name) === generic);
  return all[tool] ?? (alias === undefined ? undefined : all[alias]);
}

/** Whether the scenario gives the result, so that nothing has to run. */
export function isScripted({ result, error, settings }: MockedUse): boolean {
  return [result, error, settings?.result, settings?.error, settings?.answers].some((said) => said !== undefined);
}

/** The result of a mocked tool: the one of the call, else the one of the tool, else a default. */
export function mockRun(use: MockedUse): ToolRun {
  const { name, settings } = use;
  const error = use.error ?? (use.result === undefined ? settings?.error : undefined);
  if (error !== undefined) throw new ToolFailure(error);
  const result = use.result ?? settings?.result;
  if (result === undefined && settings?.answers !== undefined) return answered(use.input, settings.answers);
  if (name === 'Bash') return shellRun(result);
  if (result === undefined)
    return { content: `(${name} completed with no output)`, useResult: `(${name} completed with no output)` };
  return { content: typeof result === 'string' ? result : JSON.stringify(result), useResult: result };
}

function shellRun(result: unknown): ToolRun {
  const text = result === undefined ? '' : typeof result === 'string' ? result : JSON.stringify(result);
  return {
    content: text === '' ? '(Bash completed with no output)' : text,
    useResult: isObject(result) ? result : { stdout: text, stderr: '', interrupted: false, isImage: false },
    saysNoError: true,
  };
}

/** The user's answers to questions that the agent asks. */
function answered(input: JsonObject, answers: Record<string, string>): ToolRun {
  const list = Object.entries(answers).map(([question, answer]) => `"${question}"="${answer}"`);
  return {
    content: `User has answered your questions: ${list.join(', ')}. You can now continue with the user's answers in mind.`,
    useResult: { questions: input['questions'] ?? [], answers },
  };
}
