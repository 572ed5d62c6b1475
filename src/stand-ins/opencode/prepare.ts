import { join, resolve } from 'node:path';
import { defined } from '../../document/defined.js';
import { unquoted } from '../../scenario/unquoted.js';
import { type Agent, type Agents, findAgent, readAgents } from './agents.js';
import { attached, mentioned } from './attachments.js';
import { Instructions } from './instructions.js';
import type { RunOptions } from './options.js';
import { expandCommand, findOwnCommand } from './own-commands.js';
import { Unsupported } from './refusal.js';
import { type Config, readConfig } from './settings/config.js';
import { filesBelow } from './settings/markdown.js';
import { type Places, placesOf } from './settings/places.js';

/** What the settings and the files of a project make of a run. */
export interface Setup {
  places: Places;
  config: Config;
  agents: Agents;
  instructions: Instructions;
}

export function setUp(options: RunOptions, cwd: string, env: NodeJS.ProcessEnv): Setup {
  const places = placesOf(cwd, env);
  const config = readConfig(places, env);
  refuseCode(config.folders, options);
  return {
    ...{ places, config },
    agents: readAgents(config.values, places),
    instructions: new Instructions(config, places, env),
  };
}

/** Plugins and tools that are programs of OpenCode's own kind. */
function refuseCode(folders: readonly string[], { pure }: RunOptions): void {
  const kinds = [...(pure ? [] : ['plugin', 'plugins']), 'tool', 'tools'];
  for (const folder of folders.flatMap((one) => kinds.map((kind) => join(one, kind)))) {
    const file = filesBelow(folder).find((name) => /^[^/]+\.(?:js|ts)$/.test(name));
    if (file !== undefined) throw new Unsupported(`plugins and tools in JavaScript (${join(folder, file)})`);
  }
}

/** Who is told what. */
export interface Request {
  agent: Agent;
  warning?: string;
  /** `provider/model`, where settings or the command line name one. */
  model?: string;
  /** What the model is told, text by text. */
  texts: readonly string[];
  /** What the session keeps of it. */
  written: string;
}

/** The request of a run. Undefined: OpenCode's server fails, because of a command or an agent that is not there. */
export async function requestOf(
  options: RunOptions,
  { places, config, agents }: Setup,
  message: string,
  env: NodeJS.ProcessEnv,
): Promise<Request | undefined> {
  const { agent, warning } = findAgent(options.agent, agents, config.values['default_agent']);
  if (agent === undefined) return undefined;
  const usual = options.model ?? agent.model ?? text(config.values['model']);
  if (options.command === undefined) {
    const files = options.files.flatMap((file) => attached(resolve(places.cwd, file)));
    return { agent, ...defined({ warning, model: usual }), texts: [...files, message], written: message };
  }
  const command = findOwnCommand(options.command, config.values);
  const named = command?.agent === undefined ? agent : agents.get(command.agent);
  if (command === undefined || named === undefined) return undefined;
  if (command.subtask === true || (named.mode === 'subagent' && command.subtask !== false))
    throw new Unsupported(`the command \`${options.command}\`, which is a task for a subagent`);
  const expanded = await expandCommand(command, message, { cwd: places.cwd, env });
  const ofAgent = command.agent === undefined ? undefined : named.model;
  return {
    ...{ agent: named, ...defined({ warning, model: command.model ?? ofAgent ?? usual }) },
    texts: [expanded, ...mentioned(expanded, places, agents)],
    written: expanded,
  };
}

/** The words of a request as rules see them, on the stage `scripted`, too. */
export function wordsOf({ texts }: Pick<Request, 'texts'>): string {
  return unquoted(texts.join('\n').trim());
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
