import { textPatternSchema } from '@understudy/script';
import * as z from 'zod/mini';

/** A workflow: named stages, and what moves from one to the next. No agent reports them, so they are derived from what was seen. */

const name = z.string().check(z.minLength(1));
const names = z.union([name, z.array(name)]);
const pattern = z.union([z.string(), textPatternSchema]);

/** Something that can be seen in a conversation; all that is given must hold of one event. */
const triggerSchema = z.strictObject({
  /** A slash command that the CLI knew, with or without its plugin's name. */
  command: z.optional(names),
  args: z.optional(pattern),
  /** A tool that has ended. */
  tool: z.optional(names),
  /** Its input as JSON, or its result's text. */
  input: z.optional(pattern),
  result: z.optional(pattern),
  status: z.optional(z.enum(['ok', 'error', 'denied', 'blocked'])),
  /** A hook that has ended, by its event (`PreToolUse`) or its name (`PreToolUse:Write`). */
  hook: z.optional(names),
  blocked: z.optional(z.boolean()),
  /** A git commit, by its message. */
  commit: z.optional(z.union([z.literal(true), pattern])),
  /** Something the agent said. A plain string is searched for, whatever its case. */
  text: z.optional(pattern),
  /** A file that changed. */
  file: z.optional(pattern),
  change: z.optional(z.enum(['created', 'modified', 'deleted'])),
  /** The end of a turn. */
  turn: z.optional(z.enum(['completed', 'failed', 'interrupted', 'timed_out', 'died'])),
});

const triggers = z.union([triggerSchema, z.array(triggerSchema)]);

const stageSchema = z.strictObject({
  name,
  description: z.optional(z.string()),
  /** What is to be done in this stage. */
  actions: z.optional(z.array(z.strictObject({ name, on: triggers }))),
});

const transitionSchema = z.strictObject({
  /** One stage, several, or `*` for any. */
  from: names,
  to: name,
  on: triggers,
});

export const workflowSchema = z.strictObject({
  $schema: z.optional(z.string()),
  name,
  description: z.optional(z.string()),
  initial: name,
  final: z.optional(z.array(name)),
  stages: z.array(stageSchema),
  transitions: z.array(transitionSchema),
  /** A loop: entering `stage` again begins the next iteration. */
  iterations: z.optional(z.strictObject({ stage: name, max: z.optional(z.int().check(z.minimum(1))) })),
});

export type TriggerDocument = z.infer<typeof triggerSchema>;
export type WorkflowDocument = z.infer<typeof workflowSchema>;
