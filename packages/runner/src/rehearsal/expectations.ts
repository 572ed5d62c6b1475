import type { Path } from '@understudy/kit';
import type { SessionPart } from '@understudy/stage';
import { type CheckResult, checkOnlyExpected, type PartExpectation, type Place } from '@understudy/verdict';

/** The places below a part of the document. */
export const within =
  (place: Place, ...base: Path): Place =>
  (path, checks) =>
    place([...base, ...path], checks);

/** Holds the start or the end of a conversation against what was expected of it. */
export function checkSessionPart(
  { part, events, conversation }: SessionPart,
  expect: PartExpectation = {},
  place?: Place,
): CheckResult[] {
  const seen = { turn: events, all: conversation.events, number: 0, workflow: undefined };
  return checkOnlyExpected(seen, expect, place).map((check) => ({ ...check, name: `${part}: ${check.name}` }));
}
