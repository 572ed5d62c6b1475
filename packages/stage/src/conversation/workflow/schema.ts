import { field, required } from '@understudy/kit';
import { textPatternSchema } from '@understudy/script';
import * as z from 'zod/mini';

/** A workflow: named stages, and what moves from one to the next. No agent reports them, so they are derived from what was seen. */

const name = z.string().check(z.minLength(1));
const names = z.union([name, z.array(name)]);
const pattern = z.union([z.string(), textPatternSchema]);

/** Something that can be seen in a conversation; all that is given must hold of one event. */
const triggerSchema = z.strictObject({
  command: field('A slash command that the CLI knew, with or without the name of its plugin; or a list.', names),
  args: field('What the arguments of the command contain, or a pattern.', pattern),
  tool: field('A tool that has ended, or a list of tools.', names),
  input: field('What the input of the tool, as JSON, contains, or a pattern.', pattern),
  result: field("What the text of the tool's result contains, or a pattern.", pattern),
  status: field('How the tool ended.', z.enum(['ok', 'error', 'denied', 'blocked'])),
  hook: field('A hook that has ended, by its event (PreToolUse) or its name (PreToolUse:Write); or a list.', names),
  blocked: field('Whether the hook blocked something.', z.boolean()),
  commit: field('A git commit: true, or what its message contains.', z.union([z.literal(true), pattern])),
  text: field('Something that the agent said, in upper or lower case; or a pattern.', pattern),
  file: field('A file that changed: what its path contains, or a pattern.', pattern),
  change: field('What became of the file.', z.enum(['created', 'modified', 'deleted'])),
  turn: field('The end of a turn.', z.enum(['completed', 'failed', 'interrupted', 'timed_out', 'died'])),
});

const triggers = z.union([triggerSchema, z.array(triggerSchema)]);

const stageSchema = z.strictObject({
  name: required('The name of the stage.', name),
  description: field('What the stage is for.', z.string()),
  actions: field(
    'What is to be done in this stage.',
    z.array(
      z.strictObject({
        name: required('The name of the action.', name),
        on: required('What shows that it was done: a trigger, or a list.', triggers),
      }),
    ),
  ),
});

const transitionSchema = z.strictObject({
  from: required('The stage before the move: one, a list, or "*" for any.', names),
  to: required('The stage after the move.', name),
  on: required('What moves the workflow: a trigger, or a list. One of the list is enough.', triggers),
});

export const workflowSchema = z.strictObject({
  $schema: field('The address of a schema, for editors.', z.string()),
  name: required('The name of the workflow.', name),
  description: field('What the workflow is for.', z.string()),
  initial: required('The stage in which it begins.', name),
  final: field('The stages in which the work is done.', z.array(name)),
  stages: required('The stages.', z.array(stageSchema)),
  transitions: required('What moves from one stage to the next.', z.array(transitionSchema)),
  iterations: field(
    'A loop: entering `stage` again begins the next iteration.',
    z.strictObject({
      stage: required('The stage in which an iteration begins.', name),
      max: field('The most iterations. More are invalid.', z.int().check(z.minimum(1))),
    }),
  ),
});

export type TriggerDocument = z.infer<typeof triggerSchema>;
export type WorkflowDocument = z.infer<typeof workflowSchema>;
