import { type ModelServer, type ServedAgent, servedAgents, startModelServer } from '../model-server/index.js';
import { shellWord } from '../process/shell-word.js';
import { loadScenario } from '../scenario/load.js';
import { paint } from '../terminal/paint.js';
import { EXIT_INTERRUPTED } from './main.js';
import { print, printJson } from './output.js';
import { portFrom } from './port.js';
import { receiveSignal } from './receive-signal.js';

export interface ServeOptions {
  scenario: string;
  port: string;
  host: string;
  allowRemote?: true;
  allowHost?: string[];
  key?: string;
  journal?: string;
  json?: true;
}

/** Serves until a signal arrives, and returns the exit code. */
export async function serveScenario(options: ServeOptions): Promise<number> {
  const { scenario, port, host, allowRemote = false, allowHost = [], key, journal, json } = options;
  const server = await startModelServer({
    scenario: loadScenario(scenario),
    port: portFrom(port),
    ...{ host, allowRemote, hosts: allowHost },
    ...(key === undefined ? {} : { key }),
    ...(journal === undefined ? {} : { journal: { file: journal } }),
  });
  // Before the URL is printed: who reads it may send a signal at once.
  const signal = receiveSignal();
  if (json) printJson(describe(server));
  else printHelp(server, scenario);
  const name = await signal;
  await server.close();
  // With --json, stdout is one document, and it is written already.
  if (!json) printUsage(server);
  if (name === 'SIGINT') return EXIT_INTERRUPTED;
  return server.script.usage.unmatched.length > 0 ? 1 : 0;
}

function describe(server: ModelServer) {
  const { url, port, key } = server;
  const agents = Object.fromEntries(servedAgents.map((agent) => [agent, server.environment(agent)]));
  return { url, port, key, pid: process.pid, agents };
}

function printHelp(server: ModelServer, scenario: string): void {
  print(`${paint.bold('model server')} ${server.url} answers from ${scenario}; press Ctrl-C to stop`);
  print(`clients must send the API key ${server.key}`);
  for (const agent of servedAgents) printEnvironment(agent, server);
}

function printEnvironment(agent: ServedAgent, server: ModelServer): void {
  const { env, files, args } = server.environment(agent);
  print(`\n${paint.bold(agent)}${args.length === 0 ? '' : ` ${args.join(' ')}`}`);
  for (const [name, value] of Object.entries(env)) print(`  ${name}=${shellWord(value)}`);
  for (const path of Object.keys(files)) print(`  ~/${path} ${paint.dim('(see --json for its contents)')}`);
}

/** How much of the script was used, and what it had no answer for. */
export function printUsage({ script, journal }: ModelServer): void {
  const { unmatched } = script.usage;
  print(`\n${journal.count} requests`);
  for (const { message, fix } of unmatched)
    print(`${paint.red('unanswered')}: ${message}\n  ${paint.green('fix')}: ${fix}`);
  for (const { rulePath, pattern, optional } of script.usage.unused()) {
    if (!optional) print(`${paint.yellow('unused')}: ${rulePath} (${pattern})`);
  }
}
