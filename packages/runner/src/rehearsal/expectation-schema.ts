import { isColor } from '@understudy/agents';
import { renamedField } from '@understudy/kit';
import { textPatternSchema } from '@understudy/script';
import * as z from 'zod/mini';

/** A text that must be there, or a whole pattern. */
export const saying = z.union([z.string(), textPatternSchema]);
const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));
const oneOrMore = z.union([z.string(), z.array(z.string()).check(z.minLength(1))]);
const count = z.int().check(z.minimum(0));
const positive = z.int().check(z.minimum(1));

const keywordsSchema = z.strictObject({
  any: z.optional(words),
  all: z.optional(words),
  none: z.optional(words),
  case_sensitive: z.optional(z.boolean()),
});

/** Names that were used: as a list, all of them. */
const namesSchema = z.union([
  words,
  z.strictObject({ any: z.optional(words), all: z.optional(words), none: z.optional(words) }),
]);

const toldTexts = z.union([saying, z.array(saying).check(z.minLength(1))]);

/** What the model was told in a turn. */
const toldSchema = z.strictObject({
  /** The subagent that was told; without it, the agent itself. */
  agent: z.optional(z.string()),
  system: z.optional(toldTexts),
  message: z.optional(toldTexts),
  tools: z.optional(
    z.array(z.union([z.string(), z.strictObject({ name: z.string(), description: z.optional(saying) })])),
  ),
});

const toolsSchema = z.strictObject({
  any: z.optional(words),
  all: z.optional(words),
  none: z.optional(words),
  order: z.optional(words),
  calls: z.optional(
    z.array(
      z.strictObject({
        tool: z.string(),
        input: z.optional(z.record(z.string(), z.unknown())),
        status: z.optional(z.enum(['ok', 'error', 'denied', 'blocked'])),
      }),
    ),
  ),
  max_repeats: z.optional(positive),
});

const color = z.string().check(z.refine((name) => isColor(name)));

/** What a terminal shows. Rows and columns count from 1; row -1 is the last one that is not empty. */
const screenSchema = z.strictObject({
  contains: z.optional(toldTexts),
  not_contains: z.optional(toldTexts),
  rows: z.optional(z.array(z.strictObject({ row: z.int(), text: saying }))),
  cursor: z.optional(z.strictObject({ row: z.optional(positive), column: z.optional(positive) })),
  looks: z.optional(
    z.array(
      z.strictObject({
        text: z.string().check(z.minLength(1)),
        color: z.optional(color),
        background: z.optional(color),
        bold: z.optional(z.boolean()),
        italic: z.optional(z.boolean()),
        underline: z.optional(z.boolean()),
        dim: z.optional(z.boolean()),
        inverse: z.optional(z.boolean()),
      }),
    ),
  ),
});

/** What must hold after a step. Everything that is given is checked; each thing is its own result. */
export const expectationSchema = z.strictObject({
  outcome: z.optional(z.enum(['completed', 'failed', 'interrupted', 'timed_out', 'died'])),
  reason: z.optional(z.string()),
  says: z.optional(saying),
  says_not: z.optional(saying),
  keywords: z.optional(keywordsSchema),
  suggests: z.optional(oneOrMore),
  error_handled: z.optional(z.union([z.boolean(), z.strictObject({ recovers: z.optional(z.boolean()) })])),
  feedback: z.optional(z.strictObject({ min: z.optional(positive) })),
  json: z.optional(z.record(z.string(), z.unknown())),
  /** Where the workflow is after the turn, or its move in this turn. */
  workflow: z.optional(
    z.union([
      z.string(),
      z.strictObject({ from: z.optional(z.string()), to: z.string(), allow_skip: z.optional(z.boolean()) }),
    ]),
  ),
  stage: renamedField('workflow'),
  tools: z.optional(toolsSchema),
  command: z.optional(z.strictObject({ name: z.optional(z.string()), expands_to: z.optional(saying) })),
  hooks: z.optional(
    z.array(
      z.strictObject({
        event: z.string(),
        on: z.optional(z.string()),
        fired: z.optional(z.boolean()),
        blocked: z.optional(z.boolean()),
        exit_code: z.optional(z.int()),
        reason: z.optional(saying),
        stdout: z.optional(saying),
        stderr: z.optional(saying),
        count: z.optional(positive),
      }),
    ),
  ),
  /** Hooks in the order in which they fired: `PreToolUse`, `PostToolUse:Bash`. */
  hook_order: z.optional(words),
  skills: z.optional(namesSchema),
  subagents: z.optional(namesSchema),
  told: z.optional(toldSchema),
  told_not: z.optional(toldSchema),
  permissions: z.optional(
    z.array(
      z.strictObject({
        tool: z.string(),
        asked: z.optional(z.boolean()),
        decision: z.optional(z.enum(['allow', 'deny'])),
      }),
    ),
  ),
  /** `any` anywhere in a rehearsal: plugins that do not load as their files declare do not fail it. */
  plugins: z.optional(z.union([z.enum(['clean', 'any']), words])),
  mcp_servers: z.optional(words),
  files: z.optional(
    z.array(
      z.strictObject({
        path: z.string(),
        change: z.optional(z.enum(['created', 'modified', 'deleted', 'unchanged'])),
        contains: z.optional(saying),
      }),
    ),
  ),
  commits: z.optional(
    z.strictObject({
      count: z.optional(count),
      message: z.optional(saying),
      conventional: z.optional(z.boolean()),
      files: z.optional(z.array(z.string())),
    }),
  ),
  budget: z.optional(
    z.strictObject({
      max_cost_usd: z.optional(z.number()),
      max_input_tokens: z.optional(count),
      max_output_tokens: z.optional(count),
      max_model_turns: z.optional(count),
    }),
  ),
  /** What the terminal shows at the end of the step. */
  screen: z.optional(screenSchema),
  snapshot: z.optional(z.boolean()),
});

export type Expectation = z.infer<typeof expectationSchema>;
