import { join } from 'node:path';
import { defined, isObject, type JsonObject } from '@understudy/kit';
import type { PluginOrigin } from './plugin-origin.js';

const VARIABLE = /\$\{(\w+)(?::-([^}]*))?\}/g;

/**
 * Fills in `${NAME}` and `${NAME:-default}` in a text, as the CLI does in MCP configurations. A variable that is set
 * but empty counts as set. A missing one without a default stays as it is written.
 */
export function fillVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(VARIABLE, (whole, name: string, otherwise?: string) => env[name] ?? otherwise ?? whole);
}

/** Fills in the variables in all texts of a configuration. */
export function fillAllVariables(config: JsonObject, env: NodeJS.ProcessEnv): JsonObject {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillVariables(value, env);
    if (Array.isArray(value)) return value.map(fill);
    return isObject(value) ? fillAllVariables(value, env) : value;
  };
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, fill(value)]));
}

/** The variables that a configuration names, that are not set, and that have no default. */
export function missingVariables(config: unknown, env: NodeJS.ProcessEnv): string[] {
  const missing = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const [, name = '', otherwise] of value.matchAll(VARIABLE)) {
        if (env[name] === undefined && otherwise === undefined) missing.add(name);
      }
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  look(config);
  return [...missing];
}

/** What the CLI starts: MCP servers, hooks, and commands of the agent. */
export type ChildKind = 'server' | 'hook' | 'shell';

export interface ChildFacts {
  sessionId: string;
  projectDir: string;
  /** Where it may leave notes for the session. */
  notesDir: string;
  version: string;
  entrypoint?: string | undefined;
  /** The effort of a turn in which the model is asked. */
  effort?: string | undefined;
}

/** What the CLI sets for what it starts. Commands of the agent do not receive the path of the project. */
export function childVariables(kind: ChildKind, facts: ChildFacts): Record<string, string> {
  const { sessionId, projectDir, notesDir, version, entrypoint = 'sdk-cli', effort } = facts;
  const who = `claude-code_${version.replaceAll('.', '-')}_${kind === 'shell' ? 'agent' : 'harness'}`;
  return {
    AI_AGENT: who,
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: entrypoint,
    CLAUDE_CODE_SESSION_ID: sessionId,
    COREPACK_ENABLE_AUTO_PIN: '0',
    NoDefaultCurrentDirectoryInExePath: '1',
    ...(kind === 'shell' ? { GIT_EDITOR: 'true', SHELL: '/bin/bash' } : { CLAUDE_PROJECT_DIR: projectDir }),
    ...(kind === 'server'
      ? {}
      : {
          CLAUDE_CODE_CHILD_NOTES_DIR: notesDir,
          CLAUDE_CODE_CHILD_SESSION: '1',
          CLAUDE_CODE_SESSION_ATTENDED: '0',
          CLAUDE_PID: String(process.pid),
          ...defined({ CLAUDE_EFFORT: effort }),
        }),
  };
}

/** Variables that the CLI itself gives to a plugin's servers and hooks, whatever the environment is. */
export interface PluginVariables {
  CLAUDE_PLUGIN_ROOT: string;
  CLAUDE_PLUGIN_DATA: string;
  CLAUDE_PROJECT_DIR: string;
}

export function pluginVariables(
  plugin: Pick<PluginOrigin, 'id' | 'root'>,
  configFolder: string,
  projectDir: string,
): PluginVariables {
  return {
    CLAUDE_PLUGIN_ROOT: plugin.root,
    CLAUDE_PLUGIN_DATA: join(configFolder, 'plugins', 'data', plugin.id.replace(/[^\w-]/g, '-')),
    CLAUDE_PROJECT_DIR: projectDir,
  };
}

/** Fills in the given variables only, where they are written as `${NAME}`. */
export function fillGiven(text: string, variables: Record<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
}

const PLUGIN_VARIABLE = /\$\{(CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA|CLAUDE_PROJECT_DIR)\}/g;

/** Fills in only the variables that the CLI gives to plugins. */
export function fillPluginVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(PLUGIN_VARIABLE, (whole, name: string) => env[name] ?? whole);
}
