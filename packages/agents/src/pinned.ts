import versions from './versions.json' with { type: 'json' };

/** The CLIs that we know how to drive. */
export const agentNames = ['claude', 'opencode', 'codex', 'gemini', 'kiro'] as const;

export type AgentName = (typeof agentNames)[number];

/** A CLI, and which version of it where that matters: `claude`, `claude@2.1.325`. */
export interface AgentSpec {
  agent: AgentName;
  version?: string;
}

export interface Distribution {
  /** The program's name on PATH. */
  program: string;
  /** Its npm package; Kiro has none. */
  npm?: { package: string; pinned: string };
}

/**
 * Where each CLI comes from and the version that we test against. The newest is not always right:
 * a bare npm install under Node 20 resolves to old releases, and later OpenCode lacks an arm64 build.
 * The versions stand in versions.json; `node scripts/pin-agents.mjs claude@latest` moves one.
 */
export const distributions: Record<AgentName, Distribution> = {
  claude: { program: 'claude', npm: { package: '@anthropic-ai/claude-code', pinned: versions.claude } },
  opencode: { program: 'opencode', npm: { package: 'opencode-ai', pinned: versions.opencode } },
  codex: { program: 'codex', npm: { package: '@openai/codex', pinned: versions.codex } },
  gemini: { program: 'gemini', npm: { package: '@google/gemini-cli', pinned: versions.gemini } },
  kiro: { program: 'kiro-cli' },
};
