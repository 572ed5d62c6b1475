import { stages } from '@understudy/agents';
import { projectSchema } from '@understudy/runner';
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
const positive = z.int().check(z.minimum(1));
const environment = z.record(z.string(), z.string());
const scenario = z.union([text, z.record(z.string(), z.unknown())]);
const state = z.optional(z.enum(['run', 'session']));
const command = z.union([text, z.array(z.string()).check(z.minLength(1))]);

/** What can be said of a conversation. Paths are relative to `from` of the test. */
const conversation = {
  agent: z.optional(text),
  stage: z.optional(z.enum(stages)),
  scenario: z.optional(scenario),
  plugins: z.optional(z.array(text)),
  workflow: z.optional(z.union([text, z.record(z.string(), z.unknown())])),
  permissions: z.optional(z.enum(['allow', 'deny'])),
  args: z.optional(z.array(z.string())),
  env: z.optional(environment),
  model: z.optional(text),
  timeout_ms: z.optional(positive),
  isolation: z.optional(text),
};

/** The parameters of each method. docs/pytest.md has the same list in words. */
export const methodParams = {
  'test.begin': z.strictObject({
    ...conversation,
    /** The folder that paths are relative to. */
    from: text,
    project: z.optional(projectSchema),
    /** Modules with checks of the user, by their prefixes. */
    checks: z.optional(z.record(z.string(), text)),
    allow_unused: z.optional(z.boolean()),
    allow_unanswered: z.optional(z.boolean()),
  }),
  'test.problems': z.strictObject({ test: positive, failed: z.optional(z.boolean()) }),
  'test.describe': z.strictObject({ test: positive }),
  'test.end': z.strictObject({ test: positive, failed: z.optional(z.boolean()) }),
  'project.create': z.strictObject({ test: positive, project: z.optional(projectSchema) }),
  'plugin.copy': z.strictObject({ test: positive, path: z.optional(text) }),
  'conversation.start': z.strictObject({ ...conversation, test: positive, cwd: z.optional(text) }),
  'conversation.send': z.strictObject({ conversation: positive, text, timeout_ms: z.optional(positive) }),
  'conversation.cancel': z.strictObject({ conversation: positive }),
  'conversation.end': z.strictObject({ conversation: positive }),
  'conversation.events': z.strictObject({ conversation: positive }),
  'conversation.expect': z.strictObject({
    conversation: positive,
    /** A turn by its number, the start or the end; without it, the whole conversation. */
    of: z.optional(z.union([positive, z.enum(['start', 'end'])])),
    expect: z.unknown(),
    not: z.optional(z.boolean()),
  }),
  'agents.place': z.strictObject({ test: positive, agents: z.optional(z.array(text)), environment, state }),
  'agents.calls': z.strictObject({ place: positive }),
  'program.run': z.strictObject({
    place: positive,
    command,
    cwd: text,
    stdin: z.optional(z.string()),
    env: z.optional(environment),
    timeout_ms: z.optional(positive),
    state,
  }),
  'program.expect': z.strictObject({
    place: positive,
    run: positive,
    expect: z.unknown(),
    not: z.optional(z.boolean()),
  }),
  'rehearsal.run': z.strictObject({
    file: text,
    agents: z.optional(z.array(text)),
    stage: z.optional(z.enum(stages)),
    update_snapshots: z.optional(z.boolean()),
    isolation: z.optional(text),
  }),
  'tool.call': z.strictObject({ name: text, arguments: z.optional(z.record(z.string(), z.unknown())) }),
};

export type Method = keyof typeof methodParams;
export type ParamsOf<M extends Method> = z.infer<(typeof methodParams)[M]>;
