import { isAbsolute, resolve } from 'node:path';
import type { Finding } from '../document/problems.js';
import { locateFindings } from '../document/problems.js';
import { parseSource, readSource, type Source } from '../document/source.js';
import { validate } from '../document/validate.js';
import { InvalidDocumentError } from '../errors.js';
import type { Backend } from './backend.js';
import {
  type BackendName,
  type ConfigDocument,
  configSchema,
  type HatDocument,
  ignoredSections,
} from './config-schema.js';

/** A role that the agent plays while it handles certain events. */
export interface Hat {
  id: string;
  name: string;
  description: string;
  triggers: readonly string[];
  publishes: readonly string[];
  instructions: string;
  backend?: Backend;
  defaultPublishes?: string;
  maxActivations: number;
}

export interface LoopConfig {
  backend: Backend;
  /** An agent that says nothing for so long is ended; never, unless the file says so. */
  idleTimeoutSeconds: number | undefined;
  prompt: string | undefined;
  promptFile: string;
  completionPromise: string;
  maxIterations: number;
  maxRuntimeSeconds: number;
  maxConsecutiveFailures: number;
  startingEvent: string | undefined;
  requiredEvents: readonly string[];
  scratchpad: string;
  guardrails: readonly string[];
  hats: readonly Hat[];
  memories: { enabled: boolean; inject: 'auto' | 'manual' | 'none'; budget: number; path: string | undefined };
  backpressure: { enabled: boolean; evidence: readonly string[] };
  /** Sections that were written and that this loop has no use for. */
  ignored: readonly string[];
}

const DEFAULT_GUARDRAILS = [
  'Each iteration starts without memory of the last: leave what the next one needs in the scratchpad.',
  'Search before you assume that something is missing.',
  'Tests, lint and type checks decide whether work is done.',
];
const RESERVED_TRIGGERS = ['task.start', 'task.resume'];

/** Reads ralph.yml. Throws with all of its problems and their places. */
export function loadConfig(file: string): LoopConfig {
  return toConfig(readSource(file));
}

/** Takes the text of a ralph.yml. */
export function parseConfig(text: string, file?: string): LoopConfig {
  return toConfig(parseSource(text, 'yaml', file));
}

function toConfig(source: Source): LoopConfig {
  const validation = validate(configSchema, source.value ?? {});
  const findings = validation.value === undefined ? validation.findings : review(validation.value);
  if (validation.value === undefined || findings.length > 0) {
    throw new InvalidDocumentError(
      'LOOP_CONFIG_INVALID',
      source.file ?? 'the configuration',
      locateFindings(source, findings),
    );
  }
  return withDefaults(validation.value);
}

/** What the schema cannot say. */
function review(document: ConfigDocument): Finding[] {
  const findings: Finding[] = [];
  const refuse = (path: (string | number)[], message: string, fix: string) =>
    findings.push({ code: 'LOOP_CONFIG_REFUSED', message, fix, path });
  if (document.event_loop?.completion_promise?.trim() === '') {
    refuse(
      ['event_loop', 'completion_promise'],
      'the completion promise is empty',
      'without one no loop could complete',
    );
  }
  if (document.cli?.backend === 'custom' && document.cli.command === undefined) {
    refuse(['cli', 'backend'], 'a custom backend needs `command`', 'add `command: <program>` to `cli`');
  }
  const owners = new Map<string, string>();
  for (const [id, hat] of Object.entries(document.hats ?? {})) {
    for (const [index, trigger] of (hat.triggers ?? []).entries()) {
      const path = ['hats', id, 'triggers', index];
      if (RESERVED_TRIGGERS.includes(trigger)) {
        refuse(path, `\`${trigger}\` is reserved for the coordinator`, 'use a topic of your own, such as `build.task`');
      }
      const owner = owners.get(trigger);
      if (owner !== undefined) {
        refuse(
          path,
          `\`${trigger}\` already triggers the hat \`${owner}\``,
          'an event goes to one hat; take a narrower topic',
        );
      }
      owners.set(trigger, id);
    }
  }
  return findings;
}

function withDefaults(document: ConfigDocument): LoopConfig {
  const { cli = {}, event_loop: loop = {}, core = {}, memories = {}, backpressure = {} } = document;
  return {
    backend: {
      name: cli.backend ?? 'claude',
      ...(cli.command === undefined ? {} : { command: cli.command }),
      args: cli.args ?? [],
      ...(cli.prompt_mode === undefined ? {} : { promptMode: cli.prompt_mode }),
      ...(cli.prompt_flag === undefined ? {} : { promptFlag: cli.prompt_flag }),
    },
    idleTimeoutSeconds: cli.idle_timeout_secs,
    prompt: loop.prompt,
    promptFile: loop.prompt_file ?? 'PROMPT.md',
    completionPromise: loop.completion_promise ?? 'LOOP_COMPLETE',
    maxIterations: loop.max_iterations ?? 100,
    maxRuntimeSeconds: loop.max_runtime_seconds ?? 14_400,
    maxConsecutiveFailures: loop.max_consecutive_failures ?? 5,
    startingEvent: loop.starting_event,
    requiredEvents: loop.required_events ?? [],
    scratchpad: core.scratchpad ?? '.ralph/agent/scratchpad.md',
    guardrails: core.guardrails ?? DEFAULT_GUARDRAILS,
    hats: Object.entries(document.hats ?? {}).map(([id, hat]) => toHat(id, hat)),
    memories: {
      enabled: memories.enabled ?? true,
      inject: memories.inject ?? 'auto',
      budget: memories.budget ?? 2000,
      path: memories.path,
    },
    backpressure: {
      enabled: backpressure.enabled ?? true,
      evidence: backpressure.evidence ?? ['tests', 'lint', 'typecheck'],
    },
    ignored: ignoredSections.filter((section) => document[section] !== undefined),
  };
}

function toHat(id: string, hat: HatDocument): Hat {
  return {
    id,
    name: hat.name ?? id,
    description: hat.description ?? '',
    triggers: hat.triggers ?? [],
    publishes: hat.publishes ?? [],
    instructions: hat.instructions ?? '',
    ...(hat.backend === undefined ? {} : { backend: toBackend(hat.backend) }),
    ...(hat.default_publishes === undefined ? {} : { defaultPublishes: hat.default_publishes }),
    maxActivations: hat.max_activations ?? Number.POSITIVE_INFINITY,
  };
}

function toBackend(backend: NonNullable<HatDocument['backend']>): Backend {
  if (typeof backend === 'string') return { name: backend, args: [] };
  if ('command' in backend) return { name: 'custom', command: backend.command, args: backend.args ?? [] };
  return {
    name: backend.type as BackendName,
    args: backend.args ?? [],
    ...(backend.agent === undefined ? {} : { agent: backend.agent }),
  };
}

/** A path of the configuration, seen from the folder that the loop works in. */
export function inWorkspace(root: string, path: string): string {
  return isAbsolute(path) ? path : resolve(root, path);
}
