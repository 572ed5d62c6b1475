import type { HookRun, HookVerdict } from '@understudy/agents';

/** The verdict of the hooks of an event, and what each of them did. */
export type FiredVerdict = HookVerdict & { runs?: readonly HookRun[] };
