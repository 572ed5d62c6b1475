import { type CasesFor, genericGroups } from '../generic-case.js';
import { callCases } from './calls.js';
import { failureCases } from './failures.js';
import { surroundingsCases } from './surroundings.js';

/** Every generic case for a contract, in the order of the groups. */
export const genericCases: CasesFor = (contract) =>
  [callCases, failureCases, surroundingsCases]
    .flatMap((casesFor) => casesFor(contract))
    .sort((a, b) => genericGroups.indexOf(a.group) - genericGroups.indexOf(b.group));
