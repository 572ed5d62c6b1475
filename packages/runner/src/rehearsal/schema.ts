import { stages } from '@understudy/agents';
import { scenarioSchema } from '@understudy/script';
import { expectations, oneOrMore, positive, saying, words } from '@understudy/verdict';
import * as z from 'zod/mini';
import { expectationSchema } from './expectation-schema.js';
import { type RunStep, runStepSchema } from './run-schema.js';

/** What stands in the place of an MCP server: nothing, another program, or tools that answer what is written here. */
const mcpServerSchema = z.strictObject({
  absent: z.optional(z.literal(true)),
  command: z.optional(z.string().check(z.minLength(1))),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  /** The answer of each tool: a text, a table, or `{ error = "…" }`. */
  tools: z.optional(z.record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())]))),
});

/** What must hold before the first step: what the start of the session did. */
const startSchema = z.strictObject({
  /** For the agent and its MCP servers to become ready. */
  timeout_ms: z.optional(positive),
  expect: z.optional(expectations.start),
});

/** What must hold after the last step, when the agent has ended. */
const endSchema = z.strictObject({
  expect: z.optional(expectations.end),
});

/** One step: what the user says, and what must hold when the turn is over. */
const sendStepSchema = z.strictObject({
  name: z.optional(z.string()),
  send: z.optional(z.string().check(z.minLength(1))),
  /** It makes this a step of the other kind, whatever else is wrong with it. */
  run: z.optional(z.never()),
  /** At a terminal: type this, press these keys, wait until the screen shows this. In this order. */
  type: z.optional(z.string().check(z.minLength(1))),
  press: z.optional(oneOrMore),
  wait_for: z.optional(saying),
  /** What the user answers when the agent asks whether a tool may run, by the tool's name. */
  permissions: z.optional(z.record(z.string(), z.enum(['allow', 'deny']))),
  /** What the user answers when the agent asks a question (AskUserQuestion), by the question. */
  answers: z.optional(z.record(z.string(), z.string())),
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
  /** The agents that the programs of `run` steps find on their PATH. By default `agent`. */
  agents: z.optional(words),
  stage: z.optional(z.enum(stages)),
  /** Stages on which it cannot run, each with the reason. */
  skip: z.optional(z.partialRecord(z.enum(stages), z.string())),
  /** A scenario file instead of rules of its own. */
  scenario: z.optional(z.string()),
  /** The recording for the stage replay. By default `cassettes/NAME.AGENT.cassette.jsonl` beside the file. */
  cassette: z.optional(z.string().check(z.minLength(1))),
  plugins: z.optional(z.array(z.string())),
  /** Variables for the agent. `PATH` is a list of folders that come first, relative to the file. */
  env: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
  project: z.optional(projectSchema),
  /** How much the agent may write, in megabytes, before it is stopped. */
  limits: z.optional(z.strictObject({ turn_mb: z.optional(positive), conversation_mb: z.optional(positive) })),
  /** The agent as people see it, in a terminal of this size. */
  terminal: z.optional(z.strictObject({ columns: z.optional(positive), rows: z.optional(positive) })),
  /** Whether the agent may try to leave its sandbox. By default `none`, where there is a sandbox. */
  escapes: z.optional(z.enum(['none', 'any'])),
  workflow: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  allow_unused: z.optional(z.boolean()),
  allow_unanswered: z.optional(z.boolean()),
  /** MCP servers of the plugins or the project that are absent or replaced, by name. */
  mcp: z.optional(z.record(z.string(), mcpServerSchema)),
  start: z.optional(startSchema),
  end: z.optional(endSchema),
  steps: z.array(z.union([runStepSchema, sendStepSchema])).check(z.minLength(1)),
});

export type McpServerDescription = z.infer<typeof mcpServerSchema>;
export type SendStep = z.infer<typeof sendStepSchema>;
export type Step = SendStep | RunStep;
export type ProjectDescription = z.infer<typeof projectSchema>;
export type RehearsalDocument = z.infer<typeof rehearsalSchema>;

/** Whether a step runs a program; otherwise it says something to the agent. */
export function isRunStep(step: Step): step is RunStep {
  return step.run !== undefined;
}

/** Whether the terminal is that of a program; otherwise it is that of the agent. */
export function hasTerminalProgram({ terminal, steps }: RehearsalDocument): boolean {
  return terminal !== undefined && steps.some(isRunStep);
}

/** The steps that say something to the agent. In the terminal of a program, they say it to the program. */
export function sendStepsOf(document: RehearsalDocument): SendStep[] {
  const { steps } = document;
  if (hasTerminalProgram(document)) return [];
  return steps.flatMap((step) => (isRunStep(step) ? [] : [step]));
}
