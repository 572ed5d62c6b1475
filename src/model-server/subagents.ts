import { type JsonObject, stringOf } from './wire/json.js';

/** What Claude Code runs when the caller does not say. */
const USUAL_AGENT = 'general-purpose';

/** A tool call that starts a subagent tells who it is and what it is told, whatever the tool's name. */
export function subagentIn(tool: string, input: JsonObject): { agent: string; prompt: string } | undefined {
  const prompt = stringOf(input['prompt']) ?? stringOf(input['message']);
  if (prompt === undefined) return undefined;
  const agent = stringOf(input['subagent_type']) ?? stringOf(input['agent_name']) ?? stringOf(input['agent_type']);
  if (agent !== undefined) return { agent, prompt };
  return /^(?:agent|task)$/i.test(tool) ? { agent: USUAL_AGENT, prompt } : undefined;
}
