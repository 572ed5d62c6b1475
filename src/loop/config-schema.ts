import * as z from 'zod/mini';

/** The shape of ralph.yml. Defaults are filled in by `config.ts`, so that a typo is told before anything runs. */

const count = z.int().check(z.minimum(0));
const positive = z.int().check(z.minimum(1));
const seconds = z.number().check(z.minimum(0));
const words = z.array(z.string());

export const backendNames = ['claude', 'kiro', 'opencode', 'gemini', 'codex', 'custom'] as const;

const cliSchema = z.strictObject({
  backend: z.optional(z.enum(backendNames)),
  command: z.optional(z.string()),
  args: z.optional(words),
  prompt_mode: z.optional(z.enum(['arg', 'stdin'])),
  prompt_flag: z.optional(z.string()),
  idle_timeout_secs: z.optional(seconds),
});

const eventLoopSchema = z.strictObject({
  prompt: z.optional(z.string()),
  prompt_file: z.optional(z.string()),
  completion_promise: z.optional(z.string()),
  max_iterations: z.optional(positive),
  max_runtime_seconds: z.optional(seconds),
  max_consecutive_failures: z.optional(positive),
  starting_event: z.optional(z.string()),
  required_events: z.optional(words),
});

const coreSchema = z.strictObject({
  scratchpad: z.optional(z.string()),
  guardrails: z.optional(words),
});

/** What a hat may say of its backend: a name, a name with arguments, a Kiro agent, or any program. */
const hatBackendSchema = z.union([
  z.enum(backendNames),
  z.strictObject({ type: z.enum(backendNames), agent: z.optional(z.string()), args: z.optional(words) }),
  z.strictObject({ command: z.string(), args: z.optional(words) }),
]);

const hatSchema = z.strictObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  triggers: z.optional(words),
  publishes: z.optional(words),
  instructions: z.optional(z.string()),
  backend: z.optional(hatBackendSchema),
  default_publishes: z.optional(z.string()),
  max_activations: z.optional(positive),
});

const memoriesSchema = z.strictObject({
  enabled: z.optional(z.boolean()),
  inject: z.optional(z.enum(['auto', 'manual', 'none'])),
  budget: z.optional(count),
  path: z.optional(z.string()),
});

/** Ours alone: Ralph always asks for evidence, a rehearsal must be able to show what happens without. */
const backpressureSchema = z.strictObject({
  enabled: z.optional(z.boolean()),
  evidence: z.optional(words),
});

/** Sections of Ralph that this loop has no use for. They are taken, and said to be ignored. */
export const ignoredSections = [
  'adapters',
  'tasks',
  'skills',
  'features',
  'tui',
  'telemetry',
  'events',
  'RObot',
] as const;
const ignored = z.optional(z.unknown());

export const configSchema = z.strictObject({
  cli: z.optional(cliSchema),
  event_loop: z.optional(eventLoopSchema),
  core: z.optional(coreSchema),
  hats: z.optional(z.record(z.string(), hatSchema)),
  memories: z.optional(memoriesSchema),
  backpressure: z.optional(backpressureSchema),
  adapters: ignored,
  tasks: ignored,
  skills: ignored,
  features: ignored,
  tui: ignored,
  telemetry: ignored,
  events: ignored,
  RObot: ignored,
});

export type ConfigDocument = z.infer<typeof configSchema>;
export type HatDocument = z.infer<typeof hatSchema>;
export type BackendName = (typeof backendNames)[number];
