import { InvalidDocumentError, locateProblems } from '@understudy/kit';
import { loadNamedChecks } from '@understudy/runner';
import { type Check, type OwnCheck, ownCheck } from '@understudy/verdict';

export type OwnCheckList = readonly Check[];

/** The checks of the user that a conversation was started with, so that each turn of it knows them. */
const known = new WeakMap<object, OwnCheckList>();

export function rememberChecks(of: object, checks: OwnCheckList): void {
  known.set(of, checks);
}

export function checksOf(of: object | undefined): OwnCheckList {
  return (of && known.get(of)) ?? [];
}

/** Checks of the user by their prefixes: a module by its path, or the check itself. */
export type GivenChecks = Readonly<Record<string, string | OwnCheck>>;

/** Loads the checks that a test names, and takes those that it gives. */
export function loadChecks(given: GivenChecks, from: string): OwnCheckList {
  const { checks, problems } = loadNamedChecks(given, from);
  const made = Object.entries(given).filter((one): one is [string, OwnCheck] => typeof one[1] !== 'string');
  if (problems.length === 0) return [...checks, ...made.map(([name, one]) => ownCheck(name, one, `the check ${name}`))];
  throw new InvalidDocumentError('EXPECTATION_INVALID', 'the checks of the test', locateProblems({}, problems));
}
