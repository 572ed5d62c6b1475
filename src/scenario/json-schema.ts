import * as z from 'zod/mini';
import { scenarioSchema } from './schema.js';

/** What an editor shows beside a field. The names are the same wherever they occur. */
const DESCRIPTIONS: Record<string, string> = {
  name: 'A name for people.',
  description: 'What the scenario is for.',
  default_response: 'Said to a prompt that no rule matches. Without it, such a prompt is an error.',
  responses: 'The rules, in order: the first whose pattern matches answers.',
  pattern: 'What the prompt must be.',
  when: 'Conditions on what surrounds the prompt; all must hold.',
  response: 'What is said: a text, or a table with text, tools and what follows them.',
  failure: 'What goes wrong instead of an answer.',
  max_matches: 'How often the rule may be entered in one conversation.',
  turns: 'What follows: each next prompt is held against the next turn.',
  expect: 'What the next prompt, or the tool results, must be.',
  optional: 'A run that never uses this rule is fine.',
  faults: 'Failures of certain requests, whatever rule would have answered them.',
  seed: 'Makes `chance` the same in every run.',
  tool_execution: 'Whether the stand-in mocks its tools or runs them.',
  tool_calls: 'The tools that are used.',
  blocks: 'Everything in order: thinking, text, tool uses. Excludes text, thinking and tool_calls.',
  then: 'What follows the tool results: a response, or a list of branches.',
  text: 'What is said, or looked for.',
  thinking: 'What is thought before.',
  tool: 'The name of the tool: the agent’s own, or shell, read, write, edit, glob, grep for any agent.',
  input: 'The arguments of the tool. { "$file" = "path" } stands for the content of a file.',
  result: 'What the tool gives back where it is mocked.',
  error: 'What the tool fails with where it is mocked; in a branch, whether a tool failed.',
  usage: 'The tokens of the whole response.',
  delay_ms: 'Wait before the answer.',
  pace: 'How fast the answer streams.',
  stop_reason: 'Why the model stopped.',
  template: 'false says {{…}} literally.',
  times: 'Go wrong this often, then answer with `response`.',
  ignore_case: 'Capitals do not matter.',
  system: 'The system prompt: a text that it contains, or a pattern.',
  model: 'The model: a glob or a pattern.',
  agent: 'The subagent: a glob or a pattern.',
  cwd: 'The working directory: a glob or a pattern.',
  turn: 'The number of the prompt in its conversation, from 1.',
  session_id: 'The id of the session, a UUID.',
  launch_timestamp: 'When the stand-in says it was started, with a zone.',
};

/** A command's name is not the name of a scenario. */
const COMMAND_PATTERN: Record<string, string> = {
  name: 'The slash command, with or without its plugin: explore, agent-loop:explore.',
  args: 'What the arguments of the command must be.',
};

/** The format as a JSON Schema, for editors. */
export function scenarioJsonSchema(): object {
  const schema = z.toJSONSchema(scenarioSchema, {
    io: 'input',
    reused: 'ref',
    override: ({ jsonSchema }) => {
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
        const description = 'args' in (jsonSchema.properties ?? {}) ? COMMAND_PATTERN[name] : DESCRIPTIONS[name];
        // A reference may carry a description of its own only beside it, which draft 2020-12 allows.
        if (description !== undefined && typeof property === 'object') property.description = description;
      }
    },
  });
  return {
    ...schema,
    title: 'Understudy scenario',
    description: 'What a scripted model answers: patterns, responses, follow-up turns, tool calls, failures.',
  };
}
