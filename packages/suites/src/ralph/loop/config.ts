import {
  InvalidDocumentError,
  locateProblems,
  parseSource,
  readSource,
  type Source,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import type { Backend } from './backend.js';
import { type CompleteConfig, configSchema, type HatConfig, ignoredSections } from './config-schema.js';

/** A role that the agent plays while it handles certain events. */
export interface Hat extends Omit<HatConfig, 'name' | 'backend'> {
  id: string;
  name: string;
  backend: Backend | undefined;
}

/** ralph.yml with all its defaults, and the hats in the order of the file. */
export interface LoopConfig extends Pick<CompleteConfig, 'event_loop' | 'core' | 'memories' | 'backpressure'> {
  backend: Backend;
  idleTimeoutSeconds: number | undefined;
  hats: readonly Hat[];
  /** Sections of the file that this loop does not use. */
  ignored: readonly string[];
}

const RESERVED_TRIGGERS = ['task.start', 'task.resume'];

/** Reads ralph.yml. Throws with all of its problems and their locations. */
export function loadConfig(file: string): LoopConfig {
  return toConfig(readSource(file));
}

/** Reads the text of a ralph.yml. */
export function parseConfig(text: string, file?: string): LoopConfig {
  return toConfig(parseSource(text, 'yaml', file));
}

function toConfig(source: Source): LoopConfig {
  const { value, findings } = validate(configSchema, source.value ?? {});
  const problems = value === undefined ? findings : review(value);
  if (value === undefined || problems.length > 0) {
    const name = source.file ?? 'the configuration';
    throw new InvalidDocumentError('LOOP_CONFIG_INVALID', name, locateProblems(source, problems));
  }
  const { cli, hats, event_loop, core, memories, backpressure } = value;
  const { backend: name, command, args, prompt_mode: promptMode, prompt_flag: promptFlag } = cli;
  return {
    ...{ event_loop, core, memories, backpressure },
    backend: { name, command, args, promptMode, promptFlag },
    idleTimeoutSeconds: cli.idle_timeout_secs,
    hats: Object.entries(hats).map(([id, hat]) => ({
      ...hat,
      id,
      name: hat.name ?? id,
      backend: hat.backend === undefined ? undefined : toBackend(hat.backend),
    })),
    ignored: ignoredSections.filter((section) => section in value),
  };
}

/** Rules that the schema cannot express. */
function review({ cli, event_loop, hats }: CompleteConfig): UnlocatedProblem[] {
  const findings: UnlocatedProblem[] = [];
  const refuse = (path: (string | number)[], message: string, fix: string) =>
    findings.push({ code: 'INVALID_VALUE', message, fix, path });
  if (event_loop.completion_promise.trim() === '') {
    const fix = 'Write one: without it no loop could complete.';
    refuse(['event_loop', 'completion_promise'], 'the completion promise is empty', fix);
  }
  if (cli.backend === 'custom' && cli.command === undefined) {
    refuse(['cli', 'backend'], 'a custom backend needs `command`', 'add `command: <program>` to `cli`');
  }
  const owners = new Map<string, string>();
  for (const [id, hat] of Object.entries(hats)) {
    for (const [index, trigger] of hat.triggers.entries()) {
      const path = ['hats', id, 'triggers', index];
      if (RESERVED_TRIGGERS.includes(trigger)) {
        refuse(path, `\`${trigger}\` is reserved for the coordinator`, 'use a topic of your own, such as `build.task`');
      }
      const owner = owners.get(trigger);
      if (owner !== undefined) {
        const fix = 'Use a narrower topic: an event goes to one hat.';
        refuse(path, `\`${trigger}\` already triggers the hat \`${owner}\``, fix);
      }
      owners.set(trigger, id);
    }
  }
  return findings;
}

function toBackend(backend: NonNullable<HatConfig['backend']>): Backend {
  if (typeof backend === 'string') return { name: backend, args: [] };
  if ('command' in backend) return { name: 'custom', ...backend };
  return { name: backend.type, args: backend.args, agent: backend.agent };
}
