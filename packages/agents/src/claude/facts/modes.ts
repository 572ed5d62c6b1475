/** What a session can be set to while it runs, in the order of Claude Code's messages. */
export const SESSION_MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan'] as const;

/** What settings can begin with; scenarios can too (scenario/schema.ts). */
export const PERMISSION_MODES = [...SESSION_MODES, 'delegate'] as const;

export type PermissionMode = (typeof PERMISSION_MODES)[number];
