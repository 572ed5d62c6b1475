import { lazyRequire } from '@understudy/kit';
import type * as Yaml from 'yaml';
import type { CheckResult, CheckSubject } from '../../checks/result.js';
import { causesOf } from '../../results/causes.js';
import type { ProgramContext, ProgramIteration } from '../../results/context.js';
import { checksOf, type EntryResult } from '../../results/entry-result.js';

type Kind = CheckSubject['kind'];

/** A check about a certain kind of subject. */
export type CheckOf<K extends Kind> = CheckResult & { subject: Extract<CheckSubject, { kind: K }> };

/** A failed entry, with the questions that the rules ask about it. */
export class FailedEntry {
  readonly result: EntryResult;
  /** All checks, those of the steps first. */
  readonly checks: readonly CheckResult[];
  /**
   * The failed checks that are to be explained. Baselines have a rule of their own. Of a conversation: its first cause, as
   * the reports tell it, and what else failed in the same step or as a whole without following from something.
   */
  readonly failures: readonly CheckResult[];
  readonly context: ProgramContext | undefined;
  readonly iterations: readonly ProgramIteration[];
  readonly #config: unknown;

  constructor(result: EntryResult) {
    this.result = result;
    this.checks = checksOf(result);
    const red = result.context === undefined ? firstCauses(result) : this.checks;
    this.failures = red.filter(({ status, subject }) => status === 'failed' && subject.kind !== 'baseline');
    this.context = result.context;
    this.iterations = result.context?.iterations ?? [];
    this.#config = readYaml(result.context?.config_yaml ?? '');
  }

  get expectedIterations(): number {
    return this.result.case?.expected_iterations ?? 0;
  }

  /** The failed checks about a kind of subject. */
  about<K extends Kind>(kind: K): CheckOf<K>[] {
    return this.failures.filter((check): check is CheckOf<K> => check.subject.kind === kind);
  }

  /** A value of the program's configuration, if it is written there. */
  configured(...path: readonly string[]): unknown {
    return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), this.#config);
  }

  /** The line that completes the loop. */
  get promise(): string {
    const written = this.configured('event_loop', 'completion_promise');
    return typeof written === 'string' ? written : 'LOOP_COMPLETE';
  }

  /** What a hat is told to do. */
  instructionsOf(hat: string | undefined): string {
    const written = hat === undefined ? undefined : this.configured('hats', hat, 'instructions');
    return typeof written === 'string' ? written.trim() : '';
  }

  /** The iterations in which the agent wrote a complete event of this topic. */
  wrote(topic: string): ProgramIteration[] {
    return this.iterations.filter(({ events_written: topics }) => topics.includes(topic));
  }

  /** Whether a passed check has looked at these words: then the test expects them, and they are not the cause. */
  expects(words: string): boolean {
    return this.checks.some(({ status, actual }) => status === 'passed' && actual.includes(words));
  }
}

function firstCauses(result: EntryResult): CheckResult[] {
  const causes = causesOf(result).filter(({ check }) => check.status === 'failed');
  const [first] = causes;
  return causes.flatMap(({ step, check }) => (step === undefined || step === first?.step ? check : []));
}

function readYaml(text: string): unknown {
  if (text === '') return undefined;
  try {
    return (lazyRequire('yaml') as typeof Yaml).parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
