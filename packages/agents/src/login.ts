import type { Environment } from '@understudy/kit';
import { credentials } from './credentials.js';
import type { AgentName } from './pinned.js';

/** The variables that say where each CLI keeps its own login. */
const HOMES: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['HOME', 'CLAUDE_CONFIG_DIR'],
  kiro: ['HOME', 'XDG_DATA_HOME'],
  opencode: ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  codex: ['HOME', 'CODEX_HOME'],
  gemini: ['HOME'],
};

/** What the switch to a cloud provider needs besides itself. */
const CLOUDS: Readonly<Record<string, readonly string[]>> = {
  CLAUDE_CODE_USE_BEDROCK: [
    'AWS_REGION',
    'AWS_PROFILE',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
  ],
  CLAUDE_CODE_USE_VERTEX: ['CLOUD_ML_REGION', 'ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_APPLICATION_CREDENTIALS'],
};

/** The variables that lead a CLI to its own login. */
export function loginHome(agent: AgentName, from: NodeJS.ProcessEnv): Environment {
  return pick(from, HOMES[agent]);
}

/** The variables that carry a key for it, or say where to use it. */
export function loginKeys(agent: AgentName, from: NodeJS.ProcessEnv): Environment {
  const keys = pick(from, credentials[agent]);
  return {
    ...keys,
    ...pick(
      from,
      Object.keys(keys).flatMap((name) => CLOUDS[name] ?? []),
    ),
  };
}

function pick(from: NodeJS.ProcessEnv, names: readonly string[]): Environment {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = from[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}
