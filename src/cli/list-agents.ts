import {
  type AgentName,
  agentLocations,
  agentNames,
  agents,
  folderSize,
  nodeVersionIn,
  type Probe,
  probeAgent,
} from '@understudy/agents';
import { defined, paint } from '@understudy/kit';
import { megabytes } from './megabytes.js';
import { print, printJson } from './output.js';

interface Listed extends Probe {
  /** The one that `--agent NAME` uses. */
  chosen: boolean;
  /** The Node of its own with which it runs. */
  node?: string;
  /** What it takes in the store. */
  bytes?: number;
}

/** Lists the CLIs on this machine. With `tryTurn`, the exit code is 1 if a turn fails; else it is 0. */
export async function listAgents({
  json = false,
  tryTurn = false,
}: {
  json?: boolean;
  tryTurn?: boolean;
}): Promise<number> {
  const listed = (await Promise.all(agentNames.map((agent) => examine(agent, tryTurn)))).flat();
  const missing = agentNames.filter((agent) => !listed.some((entry) => entry.agent === agent));
  if (json) printJson({ agents: listed, missing: missing.map((agent) => ({ agent, fix: howToGet(agent) })) });
  else {
    for (const entry of listed) printListed(entry);
    for (const agent of missing) print(`${paint.yellow('–')} ${agent.padEnd(18)} ${paint.dim(howToGet(agent))}`);
  }
  return listed.some(({ plays }) => plays === false) ? 1 : 0;
}

function printListed({ agent, source, command, version, answers, plays, problem, chosen, bytes, node }: Listed): void {
  const mark = answers && plays !== false ? paint.green('✓') : paint.red('✗');
  const name = `${agent}@${version ?? '?'}`.padEnd(18);
  const size = bytes === undefined ? '' : megabytes(bytes);
  const turn = plays === undefined ? '' : plays ? paint.green(' completed a turn') : '';
  const runtime = node === undefined ? '' : paint.dim(` on Node ${node}`);
  const wrong = problem === undefined ? '' : paint.red(` ${problem}`);
  print(
    `${mark} ${chosen ? paint.bold(name) : name} ${source.padEnd(10)} ${size.padStart(8)} ${command.at(-1)}${runtime}${turn}${wrong}`,
  );
}

async function examine(agent: AgentName, tryTurn: boolean): Promise<Listed[]> {
  const listed: Listed[] = [];
  // One after the other: many copies of one CLI at the same time would all be slow.
  for (const place of agentLocations(agent)) {
    const probe = await probeAgent(place, { turn: tryTurn });
    const bytes = place.folder === undefined ? undefined : folderSize(place.folder);
    const node = place.folder === undefined ? undefined : nodeVersionIn(place.folder);
    listed.push({
      ...probe,
      ...defined({ bytes, node }),
      chosen: probe.answers && !listed.some((entry) => entry.chosen),
    });
  }
  return listed;
}

function howToGet(agent: AgentName): string {
  const { npm, program } = agents[agent];
  return npm === undefined
    ? `install it as its vendor says and put ${program} on PATH; it is not on npm`
    : `understudy agents add ${agent}`;
}
