import facts from '../claude-code/facts.json' with { type: 'json' };

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
 * After a change of a version: `node scripts/pin-agents.mjs` writes pinned-packages.json again.
 */
export const distributions: Record<AgentName, Distribution> = {
  claude: { program: 'claude', npm: { package: '@anthropic-ai/claude-code', pinned: facts.version } },
  opencode: { program: 'opencode', npm: { package: 'opencode-ai', pinned: '1.18.18' } },
  codex: { program: 'codex', npm: { package: '@openai/codex', pinned: '0.166.0' } },
  gemini: { program: 'gemini', npm: { package: '@google/gemini-cli', pinned: '0.61.0' } },
  kiro: { program: 'kiro-cli' },
};
