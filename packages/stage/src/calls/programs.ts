import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type AgentName, agentNames, agents } from '@understudy/agents';
import { makeFolder, shellWord } from '@understudy/kit';
import { nodeRecorderScript } from './node-recorder.js';
import { recorderScript } from './recorder.js';

/** What each agent's program is called. */
export function programOf(agent: AgentName): string {
  return agents[agent].program;
}

/** The agent of a program's name. */
export function agentOfProgram(program: string): AgentName | undefined {
  return agentNames.find((agent) => programOf(agent) === program);
}

/** Writes a small program that starts a command with the arguments that it gets. `before` is done first. */
export function writeProgram(file: string, command: readonly string[], before = ''): void {
  makeFolder(dirname(file));
  writeFileSync(file, `#!/bin/sh\n${before}exec ${command.map(shellWord).join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
}

/**
 * A command with the recorder before it; `folder` keeps the recorder. Stand-ins record themselves.
 * Without Perl, which Linux distributions and macOS have, a slower one in Node does it.
 */
export function recorded(
  agent: AgentName,
  command: readonly string[],
  folder: string,
  hasPerl = isOnPath('perl'),
): string[] {
  const file = join(folder, hasPerl ? 'recorder.pl' : 'recorder.cjs');
  makeFolder(folder);
  writeFileSync(file, hasPerl ? recorderScript() : nodeRecorderScript());
  const { program, called } = agents[agent];
  const reads = called.readsStdinForPrompt === true ? '0' : '1';
  const facts = [program, called.asking.join(' '), reads, String(command.length)];
  return [hasPerl ? 'perl' : process.execPath, file, ...facts, ...command];
}

function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, program)));
}
