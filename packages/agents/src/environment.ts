/** The model that a CLI asks for where it is scripted. */
export const SCRIPTED_MODEL = 'scripted';

/** A real service may be busy for a moment. */
export const REAL_RETRIES = 3;

/** Claude Code and OpenCode bring the engine of Bun. What they run is over before its optimizing compilers have paid for themselves. */
export const SHORT_LIVED = { BUN_JSC_useDFGJIT: '0', BUN_JSC_useFTLJIT: '0' };
