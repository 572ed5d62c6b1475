import type { CheckResult, CheckSubject } from '../../checks/result.js';
import { causesOf } from '../../results/causes.js';
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
   * The failed checks that are to be explained, but for baselines. For a conversation: its first cause, as
   * in the reports, and what else failed in the same step or as a whole without following from something.
   */
  readonly failures: readonly CheckResult[];

  constructor(result: EntryResult) {
    this.result = result;
    this.checks = checksOf(result);
    const red = result.context === undefined ? firstCauses(result) : this.checks;
    this.failures = red.filter(({ status, subject }) => status === 'failed' && subject.kind !== 'baseline');
  }

  /** The failed checks about a kind of subject. */
  about<K extends Kind>(kind: K): CheckOf<K>[] {
    return this.failures.filter((check): check is CheckOf<K> => check.subject.kind === kind);
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
