import * as z from 'zod/mini';
import { stages } from '../agents/driver.js';
import { isColor } from '../agents/terminal/screen-runs.js';
import { renamedField } from '../document/validate.js';
import { scenarioSchema, textPatternSchema } from '../scenario/schema.js';

/** A text that must be there, or a whole pattern. */
const saying = z.union([z.string(), textPatternSchema]);
const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));
const oneOrMore = z.union([z.string(), z.array(z.string()).check(z.minLength(1))]);
const count = z.int().check(z.minimum(0));
const positive = z.int().check(z.minimum(1));

export const keywordsSchema = z.strictObject({
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
export const toldSchema = z.strictObject({
  /** The subagent that was told; without it, the agent itself. */
  agent: z.optional(z.string()),
  system: z.optional(toldTexts),
  message: z.optional(toldTexts),
  tools: z.optional(
    z.array(z.union([z.string(), z.strictObject({ name: z.string(), description: z.optional(saying) })])),
  ),
});

export const toolsSchema = z.strictObject({
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
export const screenSchema = z.strictObject({
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

/** What stands in the place of an MCP server: nothing, another program, or tools that answer what is written here. */
export const mcpServerSchema = z.strictObject({
  absent: z.optional(z.literal(true)),
  command: z.optional(z.string().check(z.minLength(1))),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  /** The answer of each tool: a text, a table, or `{ error = "…" }`. */
  tools: z.optional(z.record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())]))),
});

/** What must hold before the first step: what the start of the session did. */
export const startSchema = z.strictObject({
  /** For the agent and its MCP servers to become ready. */
  timeout_ms: z.optional(positive),
  expect: z.optional(
    z.pick(expectationSchema, { hooks: true, plugins: true, mcp_servers: true, files: true, commits: true }),
  ),
});

/** What must hold after the last step, when the agent has ended. */
export const endSchema = z.strictObject({
  expect: z.optional(
    z.extend(z.pick(expectationSchema, { hooks: true, files: true, commits: true }), {
      /** Processes that the agent leaves running. */
      leftovers: z.optional(z.union([z.literal('none'), words])),
    }),
  ),
});

/** One step: what the user says, and what must hold when the turn is over. */
export const stepSchema = z.strictObject({
  name: z.optional(z.string()),
  send: z.optional(z.string().check(z.minLength(1))),
  /** At a terminal: type this, press these keys, wait until the screen shows this. In this order. */
  type: z.optional(z.string().check(z.minLength(1))),
  press: z.optional(oneOrMore),
  wait_for: z.optional(saying),
  /** What the user answers when the agent asks whether a tool may run, by the tool's name. */
  permissions: z.optional(z.record(z.string(), z.enum(['allow', 'deny']))),
  timeout_ms: z.optional(positive),
  expect: z.optional(expectationSchema),
});

export const projectSchema = z.strictObject({
  type: z.optional(z.enum(['web-app', 'cli', 'library'])),
  language: z.optional(z.enum(['python', 'javascript', 'go'])),
  name: z.optional(z.string()),
  /** A folder to copy instead of generating one. */
  path: z.optional(z.string()),
  git: z.optional(z.boolean()),
  /** Runs the development server of a generated web-app; `{{url}}` in `send` is its address. */
  serve: z.optional(z.boolean()),
  files: z.optional(z.record(z.string(), z.string())),
});

/** A rehearsal is a scenario with steps: a whole test in one file. */
export const rehearsalSchema = z.extend(scenarioSchema, {
  agent: z.optional(oneOrMore),
  stage: z.optional(z.enum(stages)),
  /** Stages on which it cannot run, each with the reason. */
  skip: z.optional(z.partialRecord(z.enum(stages), z.string())),
  /** A scenario file instead of rules of its own. */
  scenario: z.optional(z.string()),
  plugins: z.optional(z.array(z.string())),
  /** Variables for the agent. `PATH` is a list of folders that come first, relative to the file. */
  env: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
  project: z.optional(projectSchema),
  /** How much the agent may write, in megabytes, before it is stopped. */
  limits: z.optional(z.strictObject({ turn_mb: z.optional(positive), conversation_mb: z.optional(positive) })),
  /** The agent as people see it, in a terminal of this size. */
  terminal: z.optional(z.strictObject({ columns: z.optional(positive), rows: z.optional(positive) })),
  workflow: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  allow_unused: z.optional(z.boolean()),
  allow_unanswered: z.optional(z.boolean()),
  /** MCP servers of the plugins or the project that are absent or replaced, by name. */
  mcp: z.optional(z.record(z.string(), mcpServerSchema)),
  start: z.optional(startSchema),
  end: z.optional(endSchema),
  steps: z.array(stepSchema).check(z.minLength(1)),
});

export type Expectation = z.infer<typeof expectationSchema>;
/** What may be expected of the start or of the end. */
export type PartExpectation = NonNullable<z.infer<typeof startSchema>['expect'] & z.infer<typeof endSchema>['expect']>;
export type McpServerDescription = z.infer<typeof mcpServerSchema>;
export type Step = z.infer<typeof stepSchema>;
export type ProjectDescription = z.infer<typeof projectSchema>;
export type RehearsalDocument = z.infer<typeof rehearsalSchema>;
