import * as z from 'zod/mini';

/**
 * What Claude Code writes on stdout (`--output-format stream-json`), as far as we read it. Fields
 * that we do not need are let through, and a line that fits nothing here is kept as it is.
 */

const contentBlock = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.optional(z.unknown()),
    is_error: z.nullish(z.boolean()),
  }),
]);

const otherBlock = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(z.union([contentBlock, otherBlock]))]);

const subagent = { parent_tool_use_id: z.nullish(z.string()), subagent_type: z.optional(z.string()) };

export const assistantSchema = z.looseObject({
  type: z.literal('assistant'),
  message: z.looseObject({ model: z.optional(z.string()), content }),
  ...subagent,
});

export const userSchema = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({ content }),
  isReplay: z.optional(z.boolean()),
  tool_use_result: z.optional(z.unknown()),
  tool_result_meta: z.optional(
    z.array(
      z.looseObject({
        id: z.string(),
        permission_decision: z.optional(
          z.looseObject({
            decision: z.string(),
            source: z.optional(z.string()),
            reason_type: z.optional(z.string()),
          }),
        ),
      }),
    ),
  ),
  ...subagent,
});

export const initSchema = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
  cwd: z.string(),
  model: z.optional(z.string()),
  permissionMode: z.optional(z.string()),
  claude_code_version: z.optional(z.string()),
  tools: z.optional(z.array(z.string())),
  slash_commands: z.optional(z.array(z.string())),
  agents: z.optional(z.array(z.string())),
  skills: z.optional(z.array(z.string())),
  plugins: z.optional(
    z.array(z.looseObject({ name: z.string(), path: z.optional(z.string()), version: z.optional(z.string()) })),
  ),
  plugin_errors: z.optional(
    z.array(z.looseObject({ plugin: z.string(), type: z.optional(z.string()), message: z.string() })),
  ),
  mcp_servers: z.optional(z.array(z.looseObject({ name: z.string(), status: z.string() }))),
});

export const systemSchema = z.looseObject({ type: z.literal('system'), subtype: z.string() });

export const hookStartedSchema = z.looseObject({ hook_id: z.string(), hook_name: z.string(), hook_event: z.string() });

export const hookResponseSchema = z.looseObject({
  hook_id: z.string(),
  hook_name: z.string(),
  hook_event: z.string(),
  stdout: z.optional(z.string()),
  stderr: z.optional(z.string()),
  exit_code: z.optional(z.number()),
  outcome: z.optional(z.string()),
});

/** What only the stand-in reports: a hook that asked the model. */
export const hookQuestionSchema = z.looseObject({
  kind: z.enum(['prompt', 'agent']),
  name: z.string(),
  text: z.string(),
  payload: z.looseObject({ hook_event_name: z.string() }),
  answer: z.string(),
});

export const taskStartedSchema = z.looseObject({
  task_id: z.string(),
  tool_use_id: z.optional(z.string()),
  subagent_type: z.optional(z.string()),
  prompt: z.optional(z.string()),
  is_backgrounded: z.optional(z.boolean()),
  description: z.optional(z.string()),
  /** It plays a skill. */
  ambient: z.optional(z.boolean()),
});

export const taskNotificationSchema = z.looseObject({
  task_id: z.string(),
  status: z.string(),
  summary: z.optional(z.string()),
});

/** What works in the background now. */
export const tasksChangedSchema = z.looseObject({ tasks: z.array(z.unknown()) });

export const stateChangedSchema = z.looseObject({ state: z.enum(['idle', 'running', 'requires_action']) });

export const retrySchema = z.looseObject({
  attempt: z.number(),
  error_status: z.nullish(z.number()),
  error: z.optional(z.unknown()),
});

export const informationalSchema = z.looseObject({
  content: z.string(),
  level: z.optional(z.string()),
  prompt_submit_outcome: z.optional(z.looseObject({ kind: z.string(), reason: z.optional(z.string()) })),
});

export const resultSchema = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.optional(z.string()),
  errors: z.optional(z.array(z.string())),
  api_error_status: z.nullish(z.number()),
  num_turns: z.optional(z.number()),
  total_cost_usd: z.optional(z.number()),
  terminal_reason: z.optional(z.string()),
  origin: z.optional(z.looseObject({ kind: z.string() })),
  usage: z.optional(
    z.looseObject({
      input_tokens: z.optional(z.number()),
      output_tokens: z.optional(z.number()),
      cache_read_input_tokens: z.optional(z.number()),
      cache_creation_input_tokens: z.optional(z.number()),
    }),
  ),
  /** The usage of this result alone, by model, with what its subagents used; older releases do not report it. */
  model_usage_since_last_result: z.optional(
    z.record(
      z.string(),
      z.looseObject({
        inputTokens: z.optional(z.number()),
        outputTokens: z.optional(z.number()),
        cacheReadInputTokens: z.optional(z.number()),
        cacheCreationInputTokens: z.optional(z.number()),
      }),
    ),
  ),
});

export const controlRequestSchema = z.looseObject({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.looseObject({ subtype: z.string() }),
});

/** The answer to `get_hooks_listing`, as far as it says for which events there are hooks. */
export const hookedEventsSchema = z.looseObject({ hooks: z.array(z.looseObject({ event: z.string() })) });

export const canUseToolSchema = z.looseObject({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.optional(z.string()),
  /** Why it asks: `rule`, `safetyCheck`, `workingDir` …; absent where nothing allows it. */
  decision_reason_type: z.optional(z.string()),
});

export const controlResponseSchema = z.looseObject({
  type: z.literal('control_response'),
  response: z.looseObject({
    subtype: z.string(),
    request_id: z.string(),
    response: z.optional(z.unknown()),
    error: z.optional(z.string()),
  }),
});

export type ClaudeResult = z.infer<typeof resultSchema>;
export type ContentBlock = z.infer<typeof contentBlock>;
type Content = z.infer<typeof content>;

/** The blocks of a message that we know; a bare string is one text block. */
export function knownBlocks(from: Content): ContentBlock[] {
  if (typeof from === 'string') return [{ type: 'text', text: from }];
  return from.flatMap((block) => {
    const parsed = contentBlock.safeParse(block);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The text of a tool result, whose content is a string or blocks. */
export function resultText(from: unknown): string {
  if (typeof from === 'string') return from;
  if (!Array.isArray(from)) return '';
  return from
    .flatMap((block: unknown) => {
      const text = (block as { text?: unknown } | null)?.text;
      return typeof text === 'string' ? [text] : [];
    })
    .join('\n');
}

/** A list of named things; what is not shaped so is left out, the rest still counts. */
const named = z.pipe(
  z.array(z.unknown()),
  z.transform((entries) =>
    entries.flatMap((entry) => z.looseObject({ name: z.string() }).safeParse(entry).data?.name ?? []),
  ),
);
/** What the CLI answers when it is initialized. */
export const initializedSchema = z.looseObject({ commands: z.optional(named), agents: z.optional(named) });
