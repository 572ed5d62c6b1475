import { delimiter, resolve } from 'node:path';
import { agents, findAgent, type ServedAgent, servedAgents, settleModelAccess } from '@understudy/agents';
import { createScratch, runAllSteps, shellWord, UnderstudyError } from '@understudy/kit';
import { type OpenedStage, openStage } from '@understudy/stage';
import { EXIT_INTERRUPTED } from './main.js';
import { print, printJson } from './output.js';
import { receiveSignal } from './receive-signal.js';
import { printUsage } from './serve-scenario.js';
import { describeShims, printShims, removeShims, type Shim, shimPath, writeShims } from './write-shims.js';

export interface ScriptedShimOptions {
  scenario: string;
  journal?: string;
  json?: true;
}

/** What the CLI keeps of its caller's environment. No key and no proxy is among it. */
const KEPT = [
  'PATH',
  'TERM',
  'COLORTERM',
  'COLUMNS',
  'LINES',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'TZ',
  'NO_COLOR',
];

/**
 * Writes shims that start the real CLIs on a scripted model, and serves that model until a signal arrives. Then the
 * shims and the home of the CLIs are removed. Returns the exit code.
 */
export async function serveShims(dir: string, { scenario, journal, json }: ScriptedShimOptions): Promise<number> {
  const stage = await openStage('scripted', {
    ...{ scenario, agents: servedAgents, forPrograms: true },
    ...(journal === undefined ? {} : { journal: { file: journal } }),
  });
  const { server } = stage;
  const scratch = createScratch('shim');
  let shims: Shim[] = [];
  try {
    const found = await Promise.all(servedAgents.map((agent) => findReal(agent, dir)));
    shims = found.flatMap((agent) => ('command' in agent ? [shimOf(dir, agent, stage, scratch.path)] : []));
    const missing = found.flatMap((agent) => ('missing' in agent ? [agent] : []));
    if (shims.length === 0)
      throw new UnderstudyError('AGENT_NOT_FOUND', 'none of the CLIs is on this machine', {
        fix: 'Run `understudy agents add claude`, or add another CLI.',
      });
    // Before anything is printed: who reads it may send a signal at once.
    const signal = receiveSignal();
    writeShims(dir, shims);
    if (json) printJson({ ...describeShims(dir, shims), url: server.url, key: server.key, pid: process.pid, missing });
    else {
      printShims(dir, shims);
      for (const { agent, missing: why } of missing) print(`no ${agent}: ${why}`);
      for (const { program } of Object.values(agents).filter(({ client }) => client === undefined))
        print(`no ${program}: it cannot be pointed at a scripted model; use the stage sim`);
      print(`the model answers from ${scenario} on ${server.url}; press Ctrl-C to stop and to remove the programs`);
    }
    const name = await signal;
    if (!json) printUsage(server);
    if (name === 'SIGINT') return EXIT_INTERRUPTED;
    return server.script.usage.unmatched.length > 0 ? 1 : 0;
  } finally {
    await runAllSteps([() => removeShims(dir, shims), () => stage.close(), () => scratch.remove()]);
  }
}

type Found = { agent: ServedAgent; command: readonly string[] } | { agent: ServedAgent; missing: string };

/** The real CLI, never a shim of an earlier run that is first on PATH. */
async function findReal(agent: ServedAgent, dir: string): Promise<Found> {
  const folder = resolve(dir);
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => resolve(entry) !== folder);
  try {
    const { command } = await findAgent(agent, { environment: { ...process.env, PATH: folders.join(delimiter) } });
    return { agent, command };
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    return { agent, missing: `${error.message}. ${error.fix ?? ''}`.trim() };
  }
}

/** A program that starts a CLI with a home and an environment of ours. It says so when its model has gone. */
function shimOf(
  dir: string,
  { agent, command }: Extract<Found, { command: readonly string[] }>,
  stage: OpenedStage,
  home: string,
): Shim {
  const { env, args } = settleModelAccess(agents[agent].client, { model: stage.access(agent), home });
  // Claude Code lets root skip permissions only in a sandbox, which IS_SANDBOX declares.
  const given = { HOME: home, TMPDIR: home, IS_SANDBOX: '1', ...env };
  const gone = `understudy: the scripted model of ${agent} has ended; run \\\`understudy shim\\\` again`;
  const script = [
    `[ -d ${shellWord(home)} ] || { echo "${gone}" >&2; exit 2; }`,
    `exec env -i ${KEPT.map((name) => `\${${name}+"${name}=$${name}"}`).join(' ')} \\`,
    `  ${Object.entries(given)
      .map(([name, value]) => `${name}=${shellWord(value)}`)
      .join(' ')} \\`,
    `  ${[...command, ...args].map(shellWord).join(' ')} "$@"`,
  ];
  return { agent, path: shimPath(dir, agent), script: `${script.join('\n')}\n` };
}
