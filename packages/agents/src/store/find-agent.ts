import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined, executablesOnPath, UnderstudyError } from '@understudy/kit';
import { type AgentName, agents } from '../agents.js';
import { compareVersions } from '../compare-versions.js';
import type { AgentDefinition } from '../define-agent.js';
import { formatAgentSpec, parseAgentSpec } from '../spec.js';
import { storeFolder } from '../store-folder.js';
import { askVersion } from './ask-version.js';
import { missingNode, nodeTooOld } from './node-runtime.js';
import { type StoredAgent, storedAgent } from './stored-agent.js';
import { verifyStored } from './verify.js';

/** `defined`: its definition says how it is started. */
export type AgentSource = 'configured' | 'store' | 'path' | 'defined';

/** A CLI that is on this machine. */
export interface FoundAgent {
  agent: AgentName;
  version: string;
  /** The program and its first arguments. */
  command: string[];
  source: AgentSource;
}

/** A place where a CLI is; its version is known only in the store, elsewhere one must ask. */
export type AgentLocation = Omit<FoundAgent, 'version'> & { version?: string; folder?: string };

export interface FindOptions {
  store?: string;
  environment?: NodeJS.ProcessEnv;
}

/** The variable that names a CLI's program: UNDERSTUDY_CLAUDE. */
function configurationVariable(agent: AgentName): string {
  return `UNDERSTUDY_${agent.toUpperCase().replaceAll('-', '_')}`;
}

/** All places where a CLI was found, in the order in which they are taken. */
export function agentLocations(agent: AgentName, options: FindOptions = {}): AgentLocation[] {
  const environment = options.environment ?? process.env;
  const configured = environment[configurationVariable(agent)];
  const { command, version }: AgentDefinition = agents[agent];
  return [
    ...(configured === undefined || configured === '' ? [] : [configuredPlace(agent, configured)]),
    ...(command === undefined
      ? []
      : [{ agent, command: [...command], source: 'defined' as const, ...defined({ version }) }]),
    ...storedVersions(agent, options.store ?? storeFolder(environment)),
    ...executablesOnPath(agents[agent].program, environment).map(
      (file): AgentLocation => ({ agent, command: [file], source: 'path' }),
    ),
  ];
}

/**
 * Finds a CLI: the configured program, then the store, then PATH. Without a version, the store's
 * pinned version comes before its newest; with one, only that version will do.
 */
export async function findAgent(spec: string, options: FindOptions = {}): Promise<FoundAgent> {
  const { agent, version } = parseAgentSpec(spec);
  const tried: string[] = [];
  for (const location of agentLocations(agent, options)) {
    if (location.version !== undefined) {
      if (version === undefined || location.version === version) {
        refuseOldNode(location);
        if (location.folder !== undefined) await verifyStored(location.folder, location.command);
        return { agent, version: location.version, command: location.command, source: location.source };
      }
      tried.push(`${location.version} ${location.source === 'store' ? 'in the store' : 'as defined'}`);
      continue;
    }
    const answer = await askVersion(location);
    if (answer.version === undefined) tried.push(`${location.command[0]} (${answer.problem})`);
    else if (version === undefined || answer.version === version) return { ...location, version: answer.version };
    else tried.push(`${answer.version} at ${location.command[0]}`);
  }
  const seen = tried.length === 0 ? '' : ` (found only: ${tried.join(', ')})`;
  throw new UnderstudyError(
    'AGENT_NOT_FOUND',
    `${formatAgentSpec({ agent, ...(version ? { version } : {}) })} is not on this machine${seen}`,
    {
      fix:
        agents[agent].npm === undefined
          ? `Install it as its makers say, and have ${agents[agent].program} on PATH or in ${configurationVariable(agent)}.`
          : `Run \`understudy agents add ${spec}\`, or name the program in ${configurationVariable(agent)}.`,
    },
  );
}

function refuseOldNode({ agent, version, command }: AgentLocation): void {
  const range = missingNode(command);
  if (range === undefined) return;
  const spec = formatAgentSpec({ agent, ...defined({ version }) });
  throw nodeTooOld(spec, range, `Run \`understudy agents add ${spec}\`: it fetches a Node for it, too.`);
}

function configuredPlace(agent: AgentName, file: string): AgentLocation {
  const path = resolve(file);
  return { agent, command: /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path], source: 'configured' };
}

function storedVersions(agent: AgentName, store: string): StoredAgent[] {
  let versions: string[];
  try {
    versions = readdirSync(join(store, agent));
  } catch {
    return [];
  }
  const pinned = agents[agent].npm?.pinned;
  return versions
    .sort((a, b) => Number(b === pinned) - Number(a === pinned) || compareVersions(b, a))
    .flatMap((version) => storedAgent(store, agent, version) ?? []);
}
