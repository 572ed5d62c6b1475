import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ServedAgent, servedAgents, startModelServer } from '@understudy/agents';
import {
  checkSecret,
  countOf,
  cut,
  defined,
  freshSecret,
  paint,
  runAllSteps,
  shellWord,
  writeWhole,
} from '@understudy/kit';
import { CONTROL_PATH, type JournalEntry, type ModelServer, sdkEnvironment } from '@understudy/model';
import { Watch } from '@understudy/runner';
import { loadScenario } from '@understudy/script';
import { EXIT_INTERRUPTED } from './main.js';
import { print, printJson, printNote, printWarning } from './output.js';
import { portFrom } from './port.js';
import { receiveSignal } from './receive-signal.js';

export interface ServeOptions {
  scenario: string;
  port: string;
  host: string;
  allowRemote?: true;
  allowHost?: string[];
  key?: string;
  controlToken?: string;
  log?: string;
  readyFile?: string;
  /** `false` by --no-reload. */
  reload?: boolean;
  quiet?: true;
  json?: true;
}

/** Serves until a signal arrives, and returns the exit code. */
export async function serveScenario(options: ServeOptions): Promise<number> {
  const { scenario, port, host, allowRemote = false, allowHost = [], key, log: journal, json, readyFile } = options;
  const token = options.controlToken ?? freshSecret('control-');
  checkSecret(token, '--control-token');
  const server = await startModelServer({
    scenario: loadScenario(scenario),
    port: portFrom(port),
    ...{ host, allowRemote, hosts: allowHost, controlToken: token },
    ...defined({ key }),
    ...(journal === undefined ? {} : { journal: { file: journal } }),
  });
  // With --json, stdout is one document: what happens is reported on stderr.
  const tell = json === true ? printNote : print;
  if (options.quiet !== true) server.journal.onEntry((entry) => tell(describeRequest(entry)));
  const ending = new AbortController();
  // Before the URL is printed: who reads it may send a signal at once, or change the scenario.
  const signal = receiveSignal();
  const reloading = options.reload === false ? undefined : reloadOnChange(server, scenario, ending.signal, tell);
  try {
    const ready = describe(server, token);
    // Whole or not at all: who waits for the file reads it at once.
    if (readyFile !== undefined) writeWhole(readyFile, `${JSON.stringify(ready, null, 2)}\n`);
    if (json) printJson(ready);
    else printHelp(server, scenario, token);
    const name = await signal;
    // With --json, stdout is one document, and it is written already.
    if (!json) printUsage(server);
    if (name === 'SIGINT') return EXIT_INTERRUPTED;
    return server.script.usage.unmatched.length > 0 ? 1 : 0;
  } finally {
    ending.abort();
    await runAllSteps([
      () => server.close(),
      () => reloading,
      () => (readyFile === undefined ? undefined : rmSync(readyFile, { force: true })),
    ]);
  }
}

/** Plays the scenario anew when its file changes. While there is a mistake in it, the old one stays. */
async function reloadOnChange(
  server: ModelServer,
  scenario: string,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  const watch = new Watch({ parts: new Map([[scenario, [resolve(scenario)]]]) });
  try {
    while ((await watch.touched(signal)) !== undefined) {
      try {
        server.playScenario(loadScenario(scenario));
        tell(`${paint.bold('reloaded')} ${scenario}; conversations begin anew`);
      } catch (error) {
        printWarning(error);
        tell(`${scenario} has problems; the last good one is still played`);
      }
    }
  } finally {
    watch.close();
  }
}

function describe(server: ModelServer, token: string) {
  const { url, port, key } = server;
  const agents = Object.fromEntries(servedAgents.map((agent) => [agent, server.environment(agent)]));
  const control = { url: `${url}${CONTROL_PATH}`, token };
  return { url, port, key, pid: process.pid, control, sdks: { env: sdkEnvironment(server) }, agents };
}

function printHelp(server: ModelServer, scenario: string, token: string): void {
  print(`${paint.bold('model server')} ${server.url} answers from ${scenario}; press Ctrl-C to stop`);
  print(`clients must send the API key ${server.key}`);
  print(`tests can steer it at ${server.url}${CONTROL_PATH}/ with the token ${token}`);
  print(`\n${paint.bold('SDKs')}`);
  printVariables(sdkEnvironment(server));
  for (const agent of servedAgents) printEnvironment(agent, server);
  print();
}

function printEnvironment(agent: ServedAgent, server: ModelServer): void {
  const { env, files, args } = server.environment(agent);
  print(`\n${paint.bold(agent)}${args.length === 0 ? '' : ` ${args.join(' ')}`}`);
  printVariables(env);
  for (const path of Object.keys(files)) print(`  ~/${path} ${paint.dim('(see --json for its contents)')}`);
}

function printVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) print(`  ${name}=${shellWord(value)}`);
}

const LONGEST_PROMPT = 60;

/** `3 claude "explore the code" → responses[0] 200 12 ms` */
function describeRequest(entry: JournalEntry): string {
  const { number, client, method, path, prompt, results, rulePath, failure, auxiliary, problem, status } = entry;
  const said = prompt ?? (results === undefined ? undefined : `${results.length} tool results`);
  const asked =
    said === undefined ? `${method} ${path}` : JSON.stringify(cut(said.replace(/\s+/g, ' '), LONGEST_PROMPT));
  const answered = [rulePath, failure, auxiliary, problem].find((part) => part !== undefined) ?? entry.kind;
  const color = entry.kind === 'unanswered' || entry.kind === 'refused' ? paint.red : paint.green;
  return `${number} ${client ?? entry.protocol ?? ''} ${asked} → ${color(answered)} ${paint.dim(`${status} ${Math.round(entry.milliseconds)} ms`)}`;
}

/** How much of the script was used, and what it had no answer for. */
export function printUsage({ script, journal }: ModelServer): void {
  const { unmatched } = script.usage;
  print(`\n${countOf(journal.count, 'request')}`);
  for (const { message, fix } of unmatched)
    print(`${paint.red('unanswered')}: ${message}\n  ${paint.green('fix')}: ${fix}`);
  for (const { rulePath, pattern, optional } of script.usage.unused()) {
    if (!optional) print(`${paint.yellow('unused')}: ${rulePath} (${pattern})`);
  }
}
