import type { JsonObject } from '@understudy/kit';
import { stringOf } from './wire/json.js';

/** The subagent that Claude Code uses by default. */
const USUAL_AGENT = 'general-purpose';

/** The subagent and its prompt, if a tool call starts one. The tool's name does not matter. */
export function subagentIn(tool: string, input: JsonObject): { agent: string; prompt: string } | undefined {
  const prompt = stringOf(input['prompt']) ?? stringOf(input['message']);
  if (prompt === undefined) return undefined;
  const agent = stringOf(input['subagent_type']) ?? stringOf(input['agent_name']) ?? stringOf(input['agent_type']);
  if (agent !== undefined) return { agent, prompt };
  return /^(?:agent|task)$/i.test(tool) ? { agent: USUAL_AGENT, prompt } : undefined;
}
