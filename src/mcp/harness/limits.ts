/** How much one user of the harness may have at once. */
export interface HarnessLimits {
  /** Conversations that run at the same time. */
  conversations: number;
  /** A conversation that was idle for this long is ended. */
  idleMs: number;
  /** MCP servers under test that run at the same time. */
  servers: number;
  /** Conversations that have ended and can still be read. */
  kept: number;
}

export const defaultLimits: HarnessLimits = { conversations: 8, idleMs: 15 * 60_000, servers: 16, kept: 50 };
