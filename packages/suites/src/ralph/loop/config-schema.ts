import * as z from 'zod/mini';
import { backendNames } from './backend-names.js';

/** The shape of ralph.yml, with its defaults. */

const positive = z.int().check(z.minimum(1));
const seconds = z.number().check(z.minimum(0));
const optionalText = z.optional(z.string());
const text = z._default(z.string(), '');
const words = z._default(z.array(z.string()), []);

const backendName = z.enum(backendNames);

const cliSchema = z.strictObject({
  backend: z._default(backendName, 'claude'),
  command: optionalText,
  args: words,
  prompt_mode: z._default(z.enum(['arg', 'stdin']), 'arg'),
  prompt_flag: optionalText,
  /** An agent that is silent for so long is ended. Without this field it never is. */
  idle_timeout_secs: z.optional(seconds),
});

const eventLoopSchema = z.strictObject({
  prompt: optionalText,
  prompt_file: z._default(z.string(), 'PROMPT.md'),
  completion_promise: z._default(z.string(), 'LOOP_COMPLETE'),
  max_iterations: z._default(positive, 100),
  max_runtime_seconds: z._default(seconds, 14_400),
  max_consecutive_failures: z._default(positive, 5),
  starting_event: optionalText,
  required_events: words,
});

const coreSchema = z.strictObject({
  scratchpad: z._default(z.string(), '.ralph/agent/scratchpad.md'),
  guardrails: z._default(z.array(z.string()), [
    'Each iteration starts without memory of the last: leave what the next one needs in the scratchpad.',
    'Search before you assume that something is missing.',
    'Tests, lint and type checks decide whether work is done.',
  ]),
});

/** The backend of a hat: a name, a name with arguments, a Kiro agent, or any program. */
const hatBackendSchema = z.union([
  backendName,
  z.strictObject({ type: backendName, agent: optionalText, args: words }),
  z.strictObject({ command: z.string(), args: words }),
]);

const hatSchema = z.strictObject({
  name: optionalText,
  description: text,
  triggers: words,
  publishes: words,
  instructions: text,
  backend: z.optional(hatBackendSchema),
  default_publishes: optionalText,
  max_activations: z._default(positive, Number.POSITIVE_INFINITY),
});

const memoriesSchema = z.strictObject({
  enabled: z._default(z.boolean(), true),
  inject: z._default(z.enum(['auto', 'manual', 'none']), 'auto'),
  budget: z._default(z.int().check(z.minimum(0)), 2000),
  path: optionalText,
});

/** Not in Ralph, which always asks for evidence: a rehearsal must be able to show what happens without it. */
const backpressureSchema = z.strictObject({
  enabled: z._default(z.boolean(), true),
  evidence: z._default(z.array(z.string()), ['tests', 'lint', 'typecheck']),
});

/** Sections of Ralph that this loop does not use. They are accepted and reported as ignored. */
const ignoredSchema = z.object({
  adapters: z.optional(z.unknown()),
  tasks: z.optional(z.unknown()),
  skills: z.optional(z.unknown()),
  features: z.optional(z.unknown()),
  tui: z.optional(z.unknown()),
  telemetry: z.optional(z.unknown()),
  events: z.optional(z.unknown()),
  RObot: z.optional(z.unknown()),
});
export const ignoredSections = Object.keys(ignoredSchema.shape);

export const configSchema = z.strictObject({
  cli: z.prefault(cliSchema, {}),
  event_loop: z.prefault(eventLoopSchema, {}),
  core: z.prefault(coreSchema, {}),
  hats: z._default(z.record(z.string(), hatSchema), {}),
  memories: z.prefault(memoriesSchema, {}),
  backpressure: z.prefault(backpressureSchema, {}),
  ...ignoredSchema.shape,
});

/** ralph.yml as people write it, and as it is read. */
export type ConfigDocument = z.input<typeof configSchema>;
export type CompleteConfig = z.output<typeof configSchema>;
export type HatConfig = z.output<typeof hatSchema>;
export type BackendName = z.output<typeof backendName>;
