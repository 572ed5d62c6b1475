/** The backends of Ralph. */
export const backendNames = ['claude', 'kiro', 'opencode', 'gemini', 'codex', 'custom'] as const;
