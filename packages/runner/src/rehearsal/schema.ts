import { stages } from '@understudy/agents';
import { field, required } from '@understudy/kit';
import { scenarioSchema, type WrittenDocument } from '@understudy/script';
import { serverFaultFields } from '@understudy/stage';
import { count, expectations, oneOrMore, positive, saying, words } from '@understudy/verdict';
import * as z from 'zod/mini';
import { expectationSchema } from './expectation-schema.js';
import { aroundStepSchema, type RunStep, runStepSchema, serviceSchema } from './run-schema.js';

/** What stands in the place of an MCP server: nothing, another program, or tools that answer what is written here. Or what goes wrong with it. */
const mcpServerSchema = z.strictObject({
  absent: field('true: the server is not there.', z.literal(true)),
  command: field('The program that takes its place.', z.string().check(z.minLength(1))),
  args: field('The arguments of the program.', z.array(z.string())),
  env: field('Variables for the program.', z.record(z.string(), z.string())),
  tools: field(
    'The answer of each tool, by its name: a text, a table, or { error = "…" }.',
    z.record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())])),
  ),
  ...serverFaultFields,
});

/** What must hold before the first step: what the start of the session did. */
const startSchema = z.strictObject({
  timeout_ms: field('Milliseconds that the agent and its MCP servers have to become ready.', positive),
  expect: field('What must be true when the agent is ready.', expectations.start),
});

/** What must hold after the last step, when the agent has ended. */
const endSchema = z.strictObject({
  expect: field('What must be true when the agent has ended.', expectations.end),
});

/** One step: what the user says, and what must hold when the turn is over. */
export const sendStepSchema = z.strictObject({
  name: field('A name for people.', z.string()),
  send: field('What the user says to the agent.', z.string().check(z.minLength(1))),
  // It makes this a step of the other kind, whatever else is wrong with it.
  run: field('A step has `send` or `run`, not both.', z.never()),
  // At a terminal, in this order.
  type: field('What is typed at the terminal.', z.string().check(z.minLength(1))),
  press: field('Keys that are pressed at the terminal.', oneOrMore),
  wait_for: field('What the screen must show before the step goes on.', saying),
  permissions: field(
    'What the user answers when the agent asks, by tool: allow or deny.',
    z.record(z.string(), z.enum(['allow', 'deny'])),
  ),
  answers: field(
    'What the user answers to questions of AskUserQuestion, by the question.',
    z.record(z.string(), z.string()),
  ),
  timeout_ms: field('Milliseconds that the step may take.', positive),
  expect: field('What must be true after the step.', expectationSchema),
});

export const projectSchema = z.strictObject({
  type: field('The kind of project that is generated. It needs a `language`.', z.enum(['web-app', 'cli', 'library'])),
  language: field('The language of the generated project.', z.enum(['python', 'javascript', 'go'])),
  name: field('The name of the generated project, in its manifest and headings.', z.string()),
  path: field('A folder to copy instead of generating a project, relative to this file.', z.string()),
  git: field('true makes the project a git repository with one commit.', z.boolean(), false),
  serve: field(
    'true runs the development server of a generated web-app. {{url}} in `send` is its address.',
    z.boolean(),
  ),
  files: field('Files that are added, by their path in the project.', z.record(z.string(), z.string())),
});

/** A rehearsal is a scenario with steps: a whole test in one file. */
export const rehearsalSchema = z.extend(scenarioSchema, {
  agent: field('The agent: "claude", "claude@2.1.325", or a list. It runs once with each.', oneOrMore, 'claude'),
  agents: field('The agents that the programs of `run` steps find on their PATH. By default `agent`.', words),
  stage: field(
    'sim (stand-in), scripted (real CLI, scripted model; the default), replay (real CLI, recorded answers) or live (real model). --stage overrides it.',
    z.enum(stages),
    'scripted',
  ),
  model: field(
    'The model with which the agent is started, as its --model takes it. By default its own.',
    z.string().check(z.minLength(1)),
  ),
  timeout_ms: field(
    'Milliseconds that each step may take that does not say it itself. By default 180000.',
    positive,
    180_000,
  ),
  retries: field(
    'How often it is tried again when it failed and may vary: with a program of yours, or a real model. What passes then is flaky. --retries does not change it.',
    count,
  ),
  skip: field('Stages on which it cannot run, each with the reason.', z.partialRecord(z.enum(stages), z.string())),
  expected_failure: field(
    'Why it fails today, such as a known bug. It is green while it fails, and red when it passes. false: it is not expected to fail.',
    z.union([z.string().check(z.minLength(1)), z.literal(false)]),
  ),
  scenario: field('A scenario file instead of [[responses]].', z.string()),
  cassette: field(
    'The recording for the stage replay; {agent} is the name of the agent. By default cassettes/NAME.AGENT.cassette.jsonl beside this file.',
    z.string().check(z.minLength(1)),
  ),
  plugins: field('Folders of plugins, relative to this file.', z.array(z.string())),
  checks: field(
    'Modules with checks of your own, relative to this file, each by the prefix that it has in `expect`.',
    z.record(z.string(), z.string().check(z.minLength(1))),
  ),
  env: field(
    'Variables for the agent. PATH is a list of folders that come first.',
    z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  ),
  settings: field(
    'Settings of Claude Code besides those of the project, as with its --settings: a table, or a file relative to this one.',
    z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())]),
  ),
  managed_settings: field(
    'Settings of an administrator for Claude Code, which users cannot override: a table, or a file relative to this one.',
    z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())]),
  ),
  project: field('The project: generated ({ type, language }), copied ({ path }), or empty.', projectSchema),
  limits: field(
    'How much the agent may write, in megabytes, before it is stopped.',
    z.strictObject({
      turn_mb: field('Megabytes in one turn. By default 32.', positive, 32),
      conversation_mb: field('Megabytes in the whole conversation. By default 128.', positive, 128),
    }),
  ),
  terminal: field(
    'The agent or program at a terminal of this size.',
    z.strictObject({
      columns: field('How many characters a line has. By default 120.', positive, 120),
      rows: field('How many lines the screen has. By default 40.', positive, 40),
    }),
  ),
  escapes: field(
    '"none" (the default where there is a sandbox): the agent may not try to leave it. "any" allows it.',
    z.enum(['none', 'any']),
  ),
  asked_by: field(
    '"agent" (the default): in a sandbox, the model answers the agent alone. "any": also hooks, servers and commands that the agent starts.',
    z.enum(['agent', 'any']),
    'agent',
  ),
  workflow: field('agent-loop, epti, visual-iteration, or a file.', z.string()),
  extends: field(
    'A file, or several, from which it has what it does not say itself: plugins, project, environment, rules …',
    oneOrMore,
  ),
  each: field(
    'Rows: the rehearsal runs once for each, with its values for {{name}}. Or the path of a CSV, TOML, YAML or JSON file.',
    z.union([z.string().check(z.minLength(1)), z.array(z.record(z.string(), z.unknown())).check(z.minLength(1))]),
  ),
  tags: field('Words for --grep.', z.array(z.string())),
  allow_unused: field('true allows rules that answer nothing.', z.boolean(), false),
  allow_unanswered: field('true allows requests that no rule answers.', z.boolean(), false),
  mcp: field('MCP servers that are absent or replaced, by name.', z.record(z.string(), mcpServerSchema)),
  services: field(
    'Programs that run beside the steps, from before the first to after the last: a database, a server.',
    z.array(serviceSchema).check(z.minLength(1)),
  ),
  before: field(
    'Programs that run in the project before the agent starts, in this order.',
    z.array(aroundStepSchema).check(z.minLength(1)),
  ),
  after: field(
    'Programs that run in the project when the agent has ended, whatever the steps did.',
    z.array(aroundStepSchema).check(z.minLength(1)),
  ),
  start: field('What must be true before the first step.', startSchema),
  end: field('What must be true after the last step, when the agent has ended.', endSchema),
  steps: required(
    'What the user says or which program runs, and what must be true afterwards.',
    z.array(z.union([runStepSchema, sendStepSchema])).check(z.minLength(1)),
  ),
});

export type McpServerDescription = z.infer<typeof mcpServerSchema>;
export type SendStep = z.infer<typeof sendStepSchema>;
export type Step = SendStep | RunStep;
export type ProjectDescription = z.infer<typeof projectSchema>;
export type RehearsalDocument = z.infer<typeof rehearsalSchema>;
/** A rehearsal as an author writes it. */
export type RehearsalInput = WrittenDocument<z.input<typeof rehearsalSchema>>;

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
