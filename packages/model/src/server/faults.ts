import type { Failure, Fault } from '@understudy/script';
import type { ModelConversation } from './conversation.js';
import { hash32 } from './hash.js';

/** The fault for this request of a conversation, if there is one. */
export function faultFor(
  faults: readonly Fault[],
  conversation: ModelConversation,
  seed: number,
): { failure: Failure; rulePath: string } | undefined {
  const request = conversation.requests;
  const index = faults.findIndex((fault, number) =>
    strikes(fault, request, () => chance(seed, number, conversation.id, request)),
  );
  const fault = faults[index];
  return fault === undefined ? undefined : { failure: fault.failure, rulePath: `faults[${index}]` };
}

function strikes(fault: Fault, request: number, draw: () => number): boolean {
  const span = fault.failure.times ?? 1;
  if (fault.request !== undefined && request >= fault.request && request < fault.request + span) return true;
  if (fault.every !== undefined && request % fault.every === 0) return true;
  return fault.chance !== undefined && draw() < fault.chance;
}

/** A number in [0, 1) that depends only on its arguments, so the order of requests does not matter. */
export function chance(...from: readonly (string | number)[]): number {
  return hash32(from.join('\0')) / 2 ** 32;
}
