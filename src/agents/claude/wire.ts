import * as z from 'zod';

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
    content: z.unknown().optional(),
    is_error: z.boolean().nullish(),
  }),
]);

const otherBlock = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(z.union([contentBlock, otherBlock]))]);

const subagent = { parent_tool_use_id: z.string().nullish(), subagent_type: z.string().optional() };

export const assistantSchema = z.looseObject({
  type: z.literal('assistant'),
  message: z.looseObject({ model: z.string().optional(), content }),
  ...subagent,
});

export const userSchema = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({ content }),
  isReplay: z.boolean().optional(),
  tool_use_result: z.unknown().optional(),
  tool_result_meta: z
    .array(
      z.looseObject({
        id: z.string(),
        permission_decision: z.looseObject({ decision: z.string(), source: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  ...subagent,
});

export const initSchema = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
  cwd: z.string(),
  model: z.string().optional(),
  permissionMode: z.string().optional(),
  claude_code_version: z.string().optional(),
  tools: z.array(z.string()).optional(),
  slash_commands: z.array(z.string()).optional(),
  agents: z.array(z.string()).optional(),
  skills: z.array(z.string()).optional(),
  plugins: z
    .array(z.looseObject({ name: z.string(), path: z.string().optional(), version: z.string().optional() }))
    .optional(),
  plugin_errors: z
    .array(z.looseObject({ plugin: z.string(), type: z.string().optional(), message: z.string() }))
    .optional(),
  mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })).optional(),
});

export const systemSchema = z.looseObject({ type: z.literal('system'), subtype: z.string() });

export const hookStartedSchema = z.looseObject({ hook_id: z.string(), hook_name: z.string(), hook_event: z.string() });

export const hookResponseSchema = z.looseObject({
  hook_id: z.string(),
  hook_name: z.string(),
  hook_event: z.string(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  exit_code: z.number().optional(),
  outcome: z.string().optional(),
});

export const taskStartedSchema = z.looseObject({
  task_id: z.string(),
  tool_use_id: z.string().optional(),
  subagent_type: z.string().optional(),
  prompt: z.string().optional(),
  is_backgrounded: z.boolean().optional(),
});

export const taskNotificationSchema = z.looseObject({
  task_id: z.string(),
  status: z.string(),
  summary: z.string().optional(),
});

export const stateChangedSchema = z.looseObject({ state: z.enum(['idle', 'running', 'requires_action']) });

export const retrySchema = z.looseObject({
  attempt: z.number(),
  error_status: z.number().nullish(),
  error: z.unknown().optional(),
});

export const informationalSchema = z.looseObject({
  content: z.string(),
  level: z.string().optional(),
  prompt_submit_outcome: z.looseObject({ kind: z.string(), reason: z.string().optional() }).optional(),
});

export const resultSchema = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  api_error_status: z.number().nullish(),
  num_turns: z.number().optional(),
  total_cost_usd: z.number().optional(),
  terminal_reason: z.string().optional(),
  origin: z.looseObject({ kind: z.string() }).optional(),
  usage: z
    .looseObject({
      input_tokens: z.number().optional(),
      output_tokens: z.number().optional(),
      cache_read_input_tokens: z.number().optional(),
      cache_creation_input_tokens: z.number().optional(),
    })
    .optional(),
});

export const controlRequestSchema = z.looseObject({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.looseObject({ subtype: z.string() }),
});

export const canUseToolSchema = z.looseObject({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});

export const controlResponseSchema = z.looseObject({
  type: z.literal('control_response'),
  response: z.looseObject({
    subtype: z.string(),
    request_id: z.string(),
    response: z.unknown().optional(),
    error: z.string().optional(),
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
