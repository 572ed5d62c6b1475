import { drivers } from '../agents/drivers.js';
import type { Environment } from '../process/environment.js';
import type { Backend } from './case.js';

/** Where each CLI keeps its own login. */
const PLACES: Readonly<Record<Backend, readonly string[]>> = {
  claude: ['HOME', 'CLAUDE_CONFIG_DIR'],
  kiro: ['HOME', 'XDG_DATA_HOME'],
  opencode: ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
};

/** What a switch to a cloud needs besides itself. */
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
export function placesOf(backend: Backend, from: NodeJS.ProcessEnv): Environment {
  return pick(from, PLACES[backend]);
}

/** The variables that carry a key for it, or say where to use it. */
export function keysOf(backend: Backend, from: NodeJS.ProcessEnv): Environment {
  const keys = pick(from, drivers[backend].credentials);
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
