import { existsSync } from 'node:fs';
import { CONFIG_FILE } from '@understudy/kit';
import { type CommandGroups, type Commands, start } from '../main.js';
import { register as agents } from './agents.js';
import { register as bisect } from './bisect.js';
import { register as cassette } from './cassette.js';
import { register as check } from './check.js';
import { register as claude } from './claude.js';
import { register as completion } from './completion.js';
import { register as doctor } from './doctor.js';
import { register as drift } from './drift.js';
import { registerShort as e2e } from './e2e.js';
import { register as exec } from './exec.js';
import { register as guard } from './guard.js';
import { register as hook } from './hook.js';
import { register as init } from './init.js';
import { register as mcp } from './mcp.js';
import { register as mcpProxy } from './mcp-proxy.js';
import { register as orchestrator } from './orchestrator.js';
import { register as permit } from './permit.js';
import { register as pipe } from './pipe.js';
import { register as play } from './play.js';
import { register as plugin } from './plugin.js';
import { register as queue } from './queue.js';
import { register as record } from './record.js';
import { register as report } from './report.js';
import { register as run } from './run.js';
import { register as serve } from './serve.js';
import { register as shim } from './shim.js';
import { register as ui } from './ui.js';
import { register as worker } from './worker.js';

/** Every command, in the groups and in the order of the help page. */
export const groups: CommandGroups = {
  Start: { init, run, plugin, ui, report, check, doctor },
  Proof: { guard, permit, hook },
  Record: { record, cassette },
  Programs: { exec, shim, serve, play, orchestrator, e2e },
  Versions: { agents, drift, bisect },
  'Many machines': { worker, queue },
  Plumbing: { mcp, 'mcp-proxy': mcpProxy, pipe, claude, completion },
};

export const commands: Commands = Object.assign({}, ...Object.values(groups));

/** The commands that know agents by their names. */
const WITH_AGENTS: ReadonlySet<string> = new Set([
  ...['agents', 'bisect', 'check', 'doctor', 'exec', 'mcp', 'pipe', 'queue'],
  ...['record', 'run', 'serve', 'shim', 'ui', 'worker'],
]);

/** Makes the agents known that the project of this folder defines. */
async function prepare(command: string): Promise<void> {
  if (!WITH_AGENTS.has(command) || !existsSync(CONFIG_FILE)) return;
  const { useOwnAgents } = await import('../project-config.js');
  await useOwnAgents();
}

/** Runs the command that this process was started with. */
export const startCommands = (): void => start(groups, prepare);
