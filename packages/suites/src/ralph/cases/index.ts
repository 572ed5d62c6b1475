import type { SuiteCase } from '../../orchestrators/case.js';
import { capabilityCases } from './capabilities.js';
import { hatChaosCases, memoryChaosCases } from './chaos.js';
import { connectivityCases } from './connectivity.js';
import { errorCases } from './errors.js';
import { eventCases } from './event-system.js';
import { hatCases } from './hats.js';
import { memoryCases } from './memory.js';
import { orchestrationCases } from './orchestration.js';

/** Every case, in the order of the tiers. */
export const suiteCases: readonly SuiteCase[] = [
  ...connectivityCases,
  ...orchestrationCases,
  ...eventCases,
  ...capabilityCases,
  ...hatCases,
  ...hatChaosCases,
  ...memoryCases,
  ...memoryChaosCases,
  ...errorCases,
];
