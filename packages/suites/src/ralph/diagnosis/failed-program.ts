import { isObject, lazyRequire } from '@understudy/kit';
import { type DiagnosisRule, type EntryResult, FailedEntry } from '@understudy/verdict';
import type * as Yaml from 'yaml';
import { contextOf, type ProgramContext, type ProgramIteration } from '../../orchestrators/context-schema.js';

export type ProgramRule = DiagnosisRule<FailedProgram>;

/** A failed entry of a program that calls agents, with the questions that its rules ask. */
export class FailedProgram extends FailedEntry {
  readonly context: ProgramContext | undefined;
  readonly iterations: readonly ProgramIteration[];
  readonly #config: unknown;

  constructor(result: EntryResult) {
    super(result);
    this.context = contextOf(result);
    this.iterations = this.context?.iterations ?? [];
    this.#config = readYaml(this.context?.config_yaml ?? '');
  }

  get expectedIterations(): number {
    return this.result.case?.expected_iterations ?? 0;
  }

  /** A value of the program's configuration, if it is written there. */
  configured(...path: readonly string[]): unknown {
    return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), this.#config);
  }

  /** The line that completes the loop. */
  get promise(): string {
    const written = this.configured('event_loop', 'completion_promise');
    return typeof written === 'string' ? written : 'LOOP_COMPLETE';
  }

  /** The instructions of a hat. */
  instructionsOf(hat: string | undefined): string {
    const written = hat === undefined ? undefined : this.configured('hats', hat, 'instructions');
    return typeof written === 'string' ? written.trim() : '';
  }

  /** The iterations in which the agent wrote a complete event of this topic. */
  wrote(topic: string): ProgramIteration[] {
    return this.iterations.filter(({ events_written: topics }) => topics.includes(topic));
  }
}

function readYaml(text: string): unknown {
  if (text === '') return undefined;
  try {
    return (lazyRequire('yaml') as typeof Yaml).parse(text);
  } catch {
    return undefined;
  }
}
