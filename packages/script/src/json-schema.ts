import { defined } from '@understudy/kit';
import * as z from 'zod/mini';
import { scenarioSchema } from './schema.js';

/** What an editor shows for a field. A name means the same everywhere in the format. */
const DESCRIPTIONS: Record<string, string> = {
  $schema: 'The address of this schema, for editors.',
  format: 'The version of the format of this file. Without it, 1.',
  name: 'A name for people.',
  description: 'What the scenario is for.',
  default_response: 'The answer to a prompt that no rule matches. Without it, such a prompt is an error.',
  responses: 'The rules, in order. The first rule that matches answers.',
  pattern: 'What the prompt must match.',
  when: 'Conditions on the context of the prompt. All must be true.',
  response: 'The answer: a text, or a table with text, tool calls and what follows them.',
  failure: 'A failure instead of an answer.',
  max_matches: 'How many times the rule may match in one conversation.',
  turns: 'The turns that follow. The next prompt must match the next turn.',
  expect: 'What the next prompt, or the tool results, must match.',
  optional: 'true allows that a run never uses this rule.',
  faults: 'Failures of certain requests, independent of the rules.',
  request: 'The number of the request in its conversation that fails, from 1.',
  every: 'Every request of the conversation whose number this divides fails.',
  chance: 'The share of requests that fail: 0 is none, 1 is all. `seed` decides which.',
  seed: 'Makes `chance` the same in every run.',
  tool_execution:
    'Which tools the stand-in mocks. Without it they really run, but for calls with a result of their own.',
  mode: 'live (the default): tools without a result of their own really run. mock: none runs.',
  tools: 'How each tool behaves, by its name.',
  auto_approve: 'true lets the tool run without a question for permission.',
  answers: 'The answers to questions of AskUserQuestion, by the question.',
  timeouts: 'Times of the stand-in.',
  exit_hint_ms: 'A time of the screen of claudeless. It has no effect.',
  compact_delay_ms: 'Milliseconds that a compaction takes.',
  hook_timeout_ms: 'Milliseconds after which a hook is ended.',
  mcp_timeout_ms: 'Milliseconds that an MCP server has to answer.',
  response_delay_ms: 'Milliseconds to wait before each answer that has no `delay_ms`.',
  default_model: 'The model that the stand-in reports when none is asked for.',
  claude_version: 'The version that the stand-in of Claude Code reports.',
  user_name: 'A name on the screen of claudeless. It has no effect.',
  provider: 'A name on the screen of claudeless. It has no effect.',
  project_path: 'The folder of the project that the stand-in reports.',
  working_directory: 'The folder in which the stand-in works. By default the one in which it was started.',
  trusted: 'Whether the stand-in trusts the folder.',
  logged_in: 'false: the stand-in reports that no user is signed in.',
  permission_mode: 'The permission mode in which Claude Code begins: in a rehearsal, the real one, too.',
  tool_calls: 'The tools to call.',
  blocks: 'The whole response in order: thinking, text, tool calls. Use it instead of text, thinking and tool_calls.',
  then: 'The answer to the tool results: a response, or a list of branches.',
  text: 'The text to send, or to look for.',
  thinking: 'The thinking before the answer.',
  chunks: 'The text in the pieces in which it is streamed. Use it instead of text.',
  tool: 'The name of the tool: the agent’s own, or shell, read, write, edit, glob, grep for any agent.',
  input: 'The arguments of the tool. { "$file" = "path" } stands for the content of a file.',
  result: 'The result of a mocked tool.',
  error: 'The error of a mocked tool. In a branch: whether a tool failed.',
  offered: 'false: the model calls the tool although the agent does not offer it.',
  feedback: 'What hooks added for the model next to the tool results: a text, or a pattern.',
  usage:
    'The tokens of the whole response: reported with its last message, and with `then`, with the message that calls the tools.',
  delay_ms: 'Milliseconds to wait before the answer.',
  input_tokens: 'Tokens that the model read.',
  output_tokens: 'Tokens that the model wrote.',
  cache_read_input_tokens: 'Tokens that the model read from its cache.',
  cache_creation_input_tokens: 'Tokens that the model wrote to its cache.',
  pace: 'How fast the answer streams.',
  first_token_ms: 'Milliseconds before the first piece.',
  tokens_per_second: 'How many tokens come in a second.',
  stop_reason: 'Why the model stopped.',
  template: 'false sends {{…}} literally.',
  for_ms: 'Milliseconds for which the port stays closed. Without it, it stays closed.',
  after_ms: 'Milliseconds after which the connection ends.',
  partial_text: 'The text that arrives before the failure.',
  message: 'The message of the error, instead of the usual one.',
  retry_after: 'Seconds after which the agent may try again.',
  raw: 'The answer, which is not JSON.',
  body: 'The HTML of the page.',
  times: 'Fail this many times, then answer with `response`.',
  ignore_case: 'Ignore upper and lower case.',
  system: 'The system prompt: a text that it contains, or a pattern.',
  model: 'The model: a glob or a pattern.',
  agent: 'The subagent: a glob or a pattern.',
  cwd: 'The working directory: a glob or a pattern.',
  hook: 'The event of a hook that asks the model, such as "Stop": a glob or a pattern. Such a rule answers no user.',
  turn: 'The number of the prompt in its conversation, from 1.',
  call: 'The number of the call in a `run` step, from 1: which start of an agent, or which request of an SDK.',
  session_id: 'The id of the session, a UUID.',
  launch_timestamp: 'The start time that the stand-in reports, with a time zone.',
};

/** In a command pattern, `name` is the command. */
const COMMAND_PATTERN: Record<string, string> = {
  name: 'The slash command, with or without its plugin: explore, agent-loop:explore.',
  args: 'What the arguments of the command must match.',
};

/** What a field `type` says, by its value: patterns, failures, blocks. */
const TYPES: Record<string, string> = {
  exact: 'exact: the whole text is the same.',
  contains: 'contains: the text is a part of it.',
  regex: 'regex: the expression finds something in it. Linear time: no look-around, no back-references.',
  glob: 'glob: the whole text fits; * is any text, ? one character, [abc] and [!abc] one of a class.',
  any: 'any: everything matches.',
  command: 'command: a slash command, by its name.',
  network_unreachable: 'network_unreachable: there is no connection.',
  connection_refused: 'connection_refused: the port is closed.',
  connection_timeout: 'connection_timeout: the connection never answers.',
  connection_reset: 'connection_reset: the connection breaks, in the middle of a text that is given.',
  stall: 'stall: the answer begins, no data comes for a time, and the connection breaks.',
  auth_error: 'auth_error: status 401.',
  forbidden: 'forbidden: status 403.',
  model_not_found: 'model_not_found: status 404.',
  rate_limit: 'rate_limit: status 429.',
  out_of_credits: 'out_of_credits: the account is empty.',
  context_length: 'context_length: the prompt is too long.',
  server_error: 'server_error: status 500.',
  overloaded: 'overloaded: status 529.',
  partial_response: 'partial_response: the text arrives, and the stream ends without the end of the message.',
  malformed_json: 'malformed_json: the answer is not JSON.',
  html_response: 'html_response: the answer is a page with status 200.',
  text: 'text: a text to the user.',
  thinking: 'thinking: what the model thinks.',
  tool_use: 'tool_use: the call of a tool.',
};

/** Where a file may stand for a long text. The loader takes it for every text; these are those that are long. */
const LONG_TEXTS = [
  'default_response',
  'response',
  'then',
  'text',
  'thinking',
  'partial_text',
  'raw',
  'body',
  'message',
];

const FILE = {
  type: 'object',
  description: 'The text of a file, relative to this one.',
  properties: { $file: { type: 'string', description: 'The path of the file.' } },
  required: ['$file'],
  additionalProperties: false,
};

function withFiles(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFiles);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name !== 'properties') return [name, withFiles(value)];
      const fields = Object.entries(value as Record<string, object>).map(([field, own]) => {
        const { description, ...rest } = withFiles(own) as { description?: string };
        if (!LONG_TEXTS.includes(field)) return [field, withFiles(own)];
        return [field, { ...defined({ description }), anyOf: [rest, { $ref: '#/$defs/file' }] }];
      });
      return [name, Object.fromEntries(fields)];
    }),
  );
}

/**
 * The description of a field: by its schema, or, in objects of a scenario, by the kind that it names or by its name. An
 * object that describes a field of its own describes them all.
 */
function wordsFor(object: z.core.$ZodType, name: string): string | undefined {
  let { def } = (object as z.core.$ZodTypes)._zod;
  while ('innerType' in def) ({ def } = (def.innerType as z.core.$ZodTypes)._zod);
  if (def.type !== 'object') return undefined;
  const said = (field: z.core.$ZodType) => z.globalRegistry.get(field)?.description;
  const field = def.shape[name] as z.core.$ZodTypes;
  const isOther = Object.values(def.shape).some(said) && !Object.hasOwn(scenarioSchema.shape, name);
  if (isOther) return said(field);
  const kind = name === 'type' && field._zod.def.type === 'literal' ? String(field._zod.def.values[0]) : '';
  const ofCommand = 'args' in def.shape ? COMMAND_PATTERN[name] : undefined;
  return said(field) ?? TYPES[kind] ?? ofCommand ?? DESCRIPTIONS[name];
}

interface Published {
  /** Of its file in `schema/`. */
  name: string;
  title: string;
  description: string;
  /** Long texts may be files. */
  files?: boolean;
}

/** A format as the JSON Schema that editors load. Its `$id` is where npm's mirrors have it. */
export function publishedSchema(format: z.core.$ZodType, { name, title, description, files }: Published): object {
  const { $schema, ...schema } = describedJsonSchema(format, files) as { $schema?: string };
  return { $schema, $id: schemaAddress(name), title, description, ...schema };
}

export function schemaAddress(name: string): string {
  return `https://unpkg.com/agent-understudy/schema/${name}.schema.json`;
}

function describedJsonSchema(format: z.core.$ZodType, files = false): object {
  const schema = z.toJSONSchema(format, {
    io: 'input',
    reused: 'ref',
    override: ({ zodSchema, jsonSchema }) => {
      const fields = jsonSchema.properties ?? {};
      // The pattern of a rule with conditions may be left out.
      if ('pattern' in fields && 'when' in fields) {
        jsonSchema.required = (jsonSchema.required ?? []).filter((name) => name !== 'pattern');
        jsonSchema.anyOf = [{ required: ['pattern'] }, { required: ['when'] }];
      }
      // The signals of this machine are not those of every machine.
      if (jsonSchema.enum?.includes('SIGTERM') === true) {
        delete jsonSchema.enum;
        jsonSchema.pattern = '^SIG[A-Z0-9]+$';
      }
      // Draft 2020-12 allows a description beside a reference.
      for (const [name, property] of Object.entries(fields)) {
        const description = wordsFor(zodSchema, name);
        if (description !== undefined && typeof property === 'object') property.description = description;
      }
    },
  });
  if (!files) return schema;
  const { $defs, ...rest } = withFiles(schema) as { $defs?: object };
  return { ...rest, $defs: { ...$defs, file: FILE } };
}

/** The scenario format as a JSON Schema. */
export function scenarioJsonSchema(): object {
  return publishedSchema(scenarioSchema, {
    name: 'scenario',
    title: 'Understudy scenario',
    description: 'What a scripted model answers: patterns, responses, follow-up turns, tool calls, failures.',
    files: true,
  });
}
