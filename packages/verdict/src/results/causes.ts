import type { CheckResult } from '../checks/result.js';
import type { EntryResult } from './entry-result.js';
import { type RedCheck, redChecks } from './red-checks.js';

/** A check that did not pass, and those that follow from it: they are green when it is. */
export interface Cause extends RedCheck {
  because: RedCheck[];
}

type EntryChecks = Pick<EntryResult, 'steps' | 'checks'>;

/** What makes others red, and which. */
interface CauseRule {
  isCause: (red: RedCheck) => boolean;
  follows: (red: RedCheck, cause: RedCheck, entry: EntryChecks) => boolean;
  /** It is shown before what failed in a step. */
  first?: true;
}

const ofServer = /\bmcp__/;

const RULES: readonly CauseRule[] = [
  {
    // A plugin, or a server of it, that is not there: what needs it finds nothing.
    isCause: ({ check }) => check.category === 'plugins' && check.status === 'failed',
    follows: ({ check }, cause) =>
      check.category === 'plugins'
        ? sharesNames(check, cause.check)
        : 'unknown_command' in check.subject
          ? pluginNames(cause.check).some((name) => textOf(check).includes(`/${name}:`))
          : ofServer.test(textOf(check)),
    first: true,
  },
  {
    // What the sandbox refused, or a limit ended: whether others follow from it, nobody can see.
    isCause: ({ check }) => check.subject.kind === 'escapes' && check.status === 'failed',
    follows: () => false,
    first: true,
  },
  {
    // What a stand-in refused did not happen.
    isCause: ({ check }) => check.subject.kind === 'unsupported',
    follows: (red, cause) => red.check.subject.kind === 'rule' || (cause.step !== undefined && red.step === cause.step),
    first: true,
  },
  {
    // A command that the agent does not have never comes to the model, or as it was typed.
    isCause: ({ check }) => 'unknown_command' in check.subject,
    follows: (red, cause) =>
      red.check.subject.kind === 'rule' ||
      red.step === cause.step ||
      (red.check.subject.kind === 'request' &&
        'unknown_command' in cause.check.subject &&
        textOf(red.check).includes(`"${cause.check.subject.unknown_command}`)),
    first: true,
  },
  {
    // A request that no rule answers ends its turn.
    isCause: ({ check }) => check.subject.kind === 'request',
    follows: (red, _cause, entry) =>
      red.check.subject.kind === 'rule' ||
      (red.step !== undefined && endsOf(red.step, entry).some((end) => /understudy:/.test(textOf(end)))),
    first: true,
  },
  {
    // A turn that did not end as it should was not at its end.
    isCause: ({ check, step }) => check.subject.kind === 'turn' && step !== undefined,
    follows: (red, cause, { steps }) => {
      const died = ['died', 'timed_out'].includes(steps.find(({ number }) => number === cause.step)?.outcome ?? '');
      if (red.step === undefined) return red.check.subject.kind === 'rule';
      return red.step === cause.step || (died && red.step > (cause.step ?? 0));
    },
  },
  {
    // The same hook, looked at by the step and by the whole.
    isCause: ({ check, step }) => check.subject.kind === 'hook' && step !== undefined,
    follows: ({ check, step }, cause) =>
      step === undefined && check.subject.kind === 'hook' && sameEvent(check, cause.check),
  },
  { isCause: () => true, follows: () => false },
];

/** What did not pass, by its causes: first what makes others red. Each check is shown once. */
export function causesOf(entry: EntryChecks): Cause[] {
  const left = new Set(redChecks(entry));
  const order = new Map([...left].map((red, index) => [red, index]));
  const found: { cause: Cause; at: number }[] = [];
  for (const { isCause, follows, first } of RULES) {
    for (const red of [...left]) {
      if (!left.has(red) || !isCause(red)) continue;
      left.delete(red);
      const because = [...left].filter((other) => follows(other, red, entry));
      for (const other of because) left.delete(other);
      found.push({ cause: { ...red, because }, at: (order.get(red) ?? 0) - (first === true ? order.size : 0) });
    }
  }
  return found.sort((one, other) => one.at - other.at).map(({ cause }) => cause);
}

function endsOf(step: number, { steps }: EntryChecks): CheckResult[] {
  const checks = steps.find(({ number }) => number === step)?.checks ?? [];
  return checks.filter(({ subject, status }) => subject.kind === 'turn' && status !== 'passed');
}

function textOf({ expected, actual, evidence }: CheckResult): string {
  return [expected, actual, ...evidence].join('\n');
}

function pluginNames({ subject }: CheckResult): readonly string[] {
  return subject.kind === 'plugin' ? subject.names : [];
}

/** Two looks at the same plugin, or at a server that the other one names. */
function sharesNames(one: CheckResult, other: CheckResult): boolean {
  if (one.subject.kind === 'mcp_server') return textOf(other).includes(one.subject.name);
  return pluginNames(one).length === 0 || pluginNames(one).some((name) => pluginNames(other).includes(name));
}

function sameEvent(one: CheckResult, other: CheckResult): boolean {
  return one.subject.kind === 'hook' && other.subject.kind === 'hook' && one.subject.event === other.subject.event;
}

/** `because of this: 3 checks (step 1 tools: any, keywords; every rule is used)` */
export function describeBecause({ because }: Cause): string {
  const names = because.map(({ step, check }) => (step === undefined ? check.name : `step ${step} ${check.name}`));
  const shown =
    names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), `${names.length - MOST_NAMED} more`] : names;
  return `because of this: ${because.length} ${because.length === 1 ? 'check' : 'checks'} (${shown.join(', ')})`;
}

const MOST_NAMED = 6;
