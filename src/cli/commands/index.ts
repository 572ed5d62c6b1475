import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import {
  configFile,
  fileOfPlace,
  InvalidDocumentError,
  searchConfigFor,
  UnderstudyError,
  useConfigFile,
} from '@understudy/kit';
import type { Command } from 'commander';
import { type CommandGroups, type Commands, type Register, start } from '../main.js';
import { register as agents } from './agents.js';
import { register as bisect } from './bisect.js';
import { register as cassette } from './cassette.js';
import { register as check } from './check.js';
import { register as claude } from './claude.js';
import { register as completion } from './completion.js';
import { register as completionValues } from './completion-values.js';
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
import { configOption } from './run-options.js';
import { register as serve } from './serve.js';
import { register as shim } from './shim.js';
import { register as ui } from './ui.js';
import { register as worker } from './worker.js';

const all: CommandGroups = {
  Start: { init, run, plugin, ui, report, check, doctor },
  Proof: { guard, permit, hook },
  Record: { record, cassette },
  Programs: { exec, shim, serve, play, orchestrator, e2e },
  Versions: { agents, drift, bisect },
  'Many machines': { worker, queue },
  Plumbing: { mcp, 'mcp-proxy': mcpProxy, pipe, claude, completion, 'completion-values': completionValues },
};

/** The commands that know agents by their names, also those that the project defines. */
const WITH_AGENTS: ReadonlySet<string> = new Set([
  ...['agents', 'bisect', 'check', 'completion-values', 'doctor', 'exec', 'mcp', 'pipe', 'queue'],
  ...['record', 'run', 'serve', 'shim', 'ui', 'worker'],
]);

/** The commands whose arguments are paths: the understudy.toml that counts is that of these. */
const OF_PATHS: ReadonlySet<string> = new Set([
  'bisect',
  'check',
  'guard',
  'hook',
  'init',
  'permit',
  'plugin',
  'run',
  'ui',
]);

const readsConfig = (name: string): boolean => WITH_AGENTS.has(name) || OF_PATHS.has(name);

/** Every command, in the groups and in the order of the help page; those that read understudy.toml have `--config`. */
export const groups: CommandGroups = Object.fromEntries(
  Object.entries(all).map(([title, some]) => [
    title,
    Object.fromEntries(
      Object.entries(some).map(([name, register]) => [name, readsConfig(name) ? withConfigOption(register) : register]),
    ),
  ]),
);

export const commands: Commands = Object.assign({}, ...Object.values(groups));

function withConfigOption(register: Register): Register {
  return (program) => {
    const before = program.commands.length;
    register(program);
    for (const command of program.commands.slice(before)) addConfigOption(command);
  };
}

function addConfigOption(command: Command): void {
  if (command.commands.length === 0) command.addOption(configOption());
  for (const child of command.commands) addConfigOption(child);
}

/** Chooses the understudy.toml, and makes the agents known that it defines. */
async function prepare(name: string, { args, config }: { args: readonly string[]; config: unknown }): Promise<void> {
  if (typeof config === 'string') {
    if (!existsSync(config)) {
      const fix = 'Check the path of --config; it is relative to the current folder.';
      throw new UnderstudyError('FILE_NOT_FOUND', `there is no file ${config}`, { fix });
    }
    useConfigFile(relative('.', config));
  } else if (OF_PATHS.has(name)) searchConfigFor(args.map(fileOfPlace).filter((path) => existsSync(path)));
  if (!WITH_AGENTS.has(name) || configFile() === undefined) return;
  const { useOwnAgents } = await import('@understudy/runner');
  await useOwnAgents().catch((error: unknown) => {
    // These report it among other things.
    if (!['doctor', 'completion-values'].includes(name) && !(name === 'check' && error instanceof InvalidDocumentError))
      throw error;
  });
}

/** Runs the command that this process was started with. */
export const startCommands = (): void => start(groups, prepare);
