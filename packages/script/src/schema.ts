import { FORMAT } from '@understudy/kit';
import * as z from 'zod/mini';

/**
 * The scenario format. Everything else about it (types, JSON Schema, documentation tables) is
 * derived from here. zod/mini keeps the stand-in's start-up short.
 */

const count = z.int().check(z.minimum(0));
const positive = z.int().check(z.minimum(1));
const milliseconds = z.number().check(z.minimum(0));

const exactPattern = z.strictObject({
  type: z.literal('exact'),
  text: z.string(),
  ignore_case: z.optional(z.boolean()),
});
const containsPattern = z.strictObject({
  type: z.literal('contains'),
  text: z.string(),
  ignore_case: z.optional(z.boolean()),
});
const regexPattern = z.strictObject({
  type: z.literal('regex'),
  pattern: z.string(),
  ignore_case: z.optional(z.boolean()),
});
const globPattern = z.strictObject({
  type: z.literal('glob'),
  pattern: z.string(),
  ignore_case: z.optional(z.boolean()),
});
const anyPattern = z.strictObject({ type: z.literal('any') });

/** A pattern over one text. */
export const textPatternSchema = z.discriminatedUnion('type', [
  exactPattern,
  containsPattern,
  regexPattern,
  globPattern,
  anyPattern,
]);

const commandPattern = z.strictObject({
  type: z.literal('command'),
  name: z.string().check(z.minLength(1)),
  args: z.optional(textPatternSchema),
});

/** A pattern over a prompt: its text, or the slash command that it is. */
export const patternSchema = z.discriminatedUnion('type', [
  exactPattern,
  containsPattern,
  regexPattern,
  globPattern,
  anyPattern,
  commandPattern,
]);

const stringOrPattern = z.union([z.string(), textPatternSchema]);

/** Conditions on the context of a prompt. All of them must be true. */
const whenSchema = z.strictObject({
  system: z.optional(stringOrPattern),
  model: z.optional(stringOrPattern),
  agent: z.optional(stringOrPattern),
  cwd: z.optional(stringOrPattern),
  hook: z.optional(stringOrPattern),
  turn: z.optional(positive),
  call: z.optional(positive),
});

const times = z.optional(positive);
const message = z.optional(z.string());

/** A failure instead of an answer. With `times`, it fails that many times and then answers. */
export const failureSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('network_unreachable'), times }),
  z.strictObject({ type: z.literal('connection_refused'), for_ms: z.optional(milliseconds), times }),
  z.strictObject({ type: z.literal('connection_timeout'), after_ms: milliseconds, times }),
  z.strictObject({ type: z.literal('connection_reset'), partial_text: z.optional(z.string()), times }),
  z.strictObject({ type: z.literal('stall'), after_ms: milliseconds, partial_text: z.optional(z.string()), times }),
  z.strictObject({ type: z.literal('auth_error'), message, times }),
  z.strictObject({ type: z.literal('forbidden'), message, times }),
  z.strictObject({ type: z.literal('model_not_found'), message, times }),
  z.strictObject({ type: z.literal('rate_limit'), retry_after: z.optional(count), message, times }),
  z.strictObject({ type: z.literal('out_of_credits'), message, times }),
  z.strictObject({ type: z.literal('context_length'), message, times }),
  z.strictObject({ type: z.literal('server_error'), message, times }),
  z.strictObject({ type: z.literal('overloaded'), message, times }),
  z.strictObject({ type: z.literal('partial_response'), partial_text: z.string(), times }),
  z.strictObject({ type: z.literal('malformed_json'), raw: z.string(), times }),
  z.strictObject({ type: z.literal('html_response'), body: z.optional(z.string()), times }),
]);

const toolInput = z.record(z.string(), z.unknown());

const toolCallFields = {
  tool: z.string().check(z.minLength(1)),
  input: z.optional(toolInput),
  result: z.optional(z.unknown()),
  error: z.optional(z.string()),
  /** False: the model calls it although the agent does not offer it. */
  offered: z.optional(z.literal(false)),
};

const toolCallSchema = z.strictObject(toolCallFields);

const blockSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('thinking'), text: z.string() }),
  z.strictObject({ type: z.literal('tool_use'), ...toolCallFields }),
]);

const usageSchema = z.strictObject({
  input_tokens: z.optional(count),
  output_tokens: z.optional(count),
  cache_read_input_tokens: z.optional(count),
  cache_creation_input_tokens: z.optional(count),
});

const paceSchema = z.strictObject({
  first_token_ms: z.optional(milliseconds),
  tokens_per_second: z.optional(z.number().check(z.positive())),
});

/** The long form of a response; the short form is its text. */
const detailedResponseSchema = z.strictObject({
  text: z.optional(z.string()),
  /** The text in the pieces in which it is streamed, one event each. */
  chunks: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
  thinking: z.optional(z.string()),
  tool_calls: z.optional(z.array(toolCallSchema)),
  blocks: z.optional(z.array(blockSchema)),
  get then() {
    return z.optional(z.union([z.string(), detailedResponseSchema, z.array(branchSchema)]));
  },
  usage: z.optional(usageSchema),
  delay_ms: z.optional(milliseconds),
  pace: z.optional(paceSchema),
  stop_reason: z.optional(z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'refusal'])),
  template: z.optional(z.boolean()),
});

/** One way to continue after tool results. The first branch whose conditions are true is used. */
const branchSchema = z.strictObject({
  expect: z.optional(textPatternSchema),
  error: z.optional(z.boolean()),
  /** What hooks added for the model next to the results. */
  feedback: z.optional(stringOrPattern),
  get response(): z.ZodMiniUnion<readonly [z.ZodMiniString<string>, typeof detailedResponseSchema]> {
    return responseSchema;
  },
});

export const responseSchema = z.union([z.string(), detailedResponseSchema]);

export const turnSchema = z.strictObject({
  expect: patternSchema,
  response: z.optional(responseSchema),
  failure: z.optional(failureSchema),
});

const ruleSchema = z.strictObject({
  name: z.optional(z.string()),
  pattern: patternSchema,
  when: z.optional(whenSchema),
  response: z.optional(responseSchema),
  failure: z.optional(failureSchema),
  max_matches: z.optional(count),
  turns: z.optional(z.array(turnSchema)),
  optional: z.optional(z.boolean()),
});

const toolExecutionSchema = z.strictObject({
  mode: z.optional(z.enum(['mock', 'live'])),
  tools: z.optional(
    z.record(
      z.string(),
      z.strictObject({
        auto_approve: z.optional(z.boolean()),
        result: z.optional(z.unknown()),
        error: z.optional(z.string()),
        answers: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  ),
});

const timeoutsSchema = z.strictObject({
  exit_hint_ms: z.optional(milliseconds),
  compact_delay_ms: z.optional(milliseconds),
  hook_timeout_ms: z.optional(milliseconds),
  mcp_timeout_ms: z.optional(milliseconds),
  response_delay_ms: z.optional(milliseconds),
});

/** A failure of certain requests of a conversation, independent of the rules. */
const faultSchema = z.strictObject({
  request: z.optional(positive),
  every: z.optional(positive),
  chance: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  failure: failureSchema,
});

const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'auto', 'delegate'] as const;

export const scenarioSchema = z.strictObject({
  $schema: z.optional(z.string()),
  format: z.optional(z.literal(FORMAT)),
  name: z.optional(z.string()),
  description: z.optional(z.string()),

  default_response: z.optional(responseSchema),
  responses: z.optional(z.array(ruleSchema)),
  faults: z.optional(z.array(faultSchema)),
  seed: z.optional(z.int()),
  tool_execution: z.optional(toolExecutionSchema),
  timeouts: z.optional(timeoutsSchema),

  default_model: z.optional(z.string()),
  claude_version: z.optional(z.string()),
  user_name: z.optional(z.string()),
  session_id: z.optional(z.guid()),
  provider: z.optional(z.string()),

  project_path: z.optional(z.string()),
  working_directory: z.optional(z.string()),
  trusted: z.optional(z.boolean()),
  logged_in: z.optional(z.boolean()),
  permission_mode: z.optional(z.enum(permissionModes)),
  launch_timestamp: z.optional(z.iso.datetime({ offset: true })),
});

export type TextPattern = z.infer<typeof textPatternSchema>;
export type Pattern = z.infer<typeof patternSchema>;
export type When = z.infer<typeof whenSchema>;
export type Failure = z.infer<typeof failureSchema>;
export type ToolCall = z.infer<typeof toolCallSchema>;
export type ResponseBlock = z.infer<typeof blockSchema>;
export type ScriptedUsage = z.infer<typeof usageSchema>;
export type Pace = z.infer<typeof paceSchema>;
export type Branch = z.infer<typeof branchSchema>;
export type DetailedResponse = z.infer<typeof detailedResponseSchema>;
export type Response = z.infer<typeof responseSchema>;
export type Rule = z.infer<typeof ruleSchema>;
export type ToolExecution = z.infer<typeof toolExecutionSchema>;
export type Fault = z.infer<typeof faultSchema>;
export type ScenarioDocument = z.infer<typeof scenarioSchema>;

/** What an author writes: a rule with conditions needs no pattern. */
type Written<Document extends ScenarioDocument> = Omit<Document, 'responses'> & {
  responses?: (Rule | (Omit<Rule, 'pattern'> & { pattern?: undefined; when: When }))[] | undefined;
};
export type WrittenDocument<Document extends ScenarioDocument> = {
  [Field in keyof Written<Document>]: Written<Document>[Field];
};
/** A scenario as an author writes it. */
export type ScenarioInput = WrittenDocument<ScenarioDocument>;
