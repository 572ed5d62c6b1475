import type { HookRun } from '../../../claude-code/hooks/hook.js';
import type { HookVerdict } from '../../../claude-code/hooks/verdict.js';

/** The verdict of the hooks of an event, and what each of them did. */
export type FiredVerdict = HookVerdict & { runs?: readonly HookRun[] };
