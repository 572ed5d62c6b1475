import type { Case } from './case.js';
import inputs from './inputs.json' with { type: 'json' };

/** Chosen inputs that show what a release changed for plugins and programs, for real programs and the stand-in alike. */
export const DRIFT_INPUTS = inputs as unknown as readonly Case[];
